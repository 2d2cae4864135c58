package io.tidemark.server.status;

import java.util.List;

/** HTML that is put together from parts; every text is escaped on its way in. */
final class HtmlText {
    private final StringBuilder out = new StringBuilder(8_192);

    /** Markup that is written in this program. */
    HtmlText markup(String markup) {
        out.append(markup);
        return this;
    }

    /** Text from anywhere. */
    HtmlText text(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> out.append(c);
            }
        }
        return this;
    }

    HtmlText heading(String text) {
        return markup("<h2>").text(text).markup("</h2>\n");
    }

    HtmlText paragraph(String text) {
        return markup("<p>").text(text).markup("</p>\n");
    }

    /** Names and values, side by side. */
    HtmlText facts(List<String> namesAndValues) {
        markup("<table class=\"facts\">\n");
        for (int i = 0; i + 1 < namesAndValues.size(); i += 2) {
            markup("<tr><th scope=\"row\">").text(namesAndValues.get(i)).markup("</th><td>");
            text(namesAndValues.get(i + 1)).markup("</td></tr>\n");
        }
        return markup("</table>\n");
    }

    /** @param rows each as long as {@code columns} */
    HtmlText table(List<String> columns, List<List<String>> rows) {
        markup("<div class=\"wide\"><table>\n<thead><tr>");
        columns.forEach(column -> markup("<th scope=\"col\">").text(column).markup("</th>"));
        markup("</tr></thead>\n<tbody>\n");
        for (List<String> row : rows) {
            markup("<tr>");
            row.forEach(cell -> markup("<td>").text(cell).markup("</td>"));
            markup("</tr>\n");
        }
        return markup("</tbody></table></div>\n");
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
