package io.tidemark.model;

import java.util.List;
import java.util.Optional;

/** Finds what somebody meant who mistyped a name: fewest inserted, deleted, replaced or swapped characters. */
public final class ClosestName {
    private static final int MAX_LENGTH = 200;

    private ClosestName() {}

    /** The closest of {@code names}, the first among equals; empty if more than a third of the text would change. */
    public static Optional<String> of(String text, List<String> names) {
        int closest = Math.max(2, text.length() / 3) + 1;
        Optional<String> found = Optional.empty();
        if (text.length() > MAX_LENGTH) {
            return found;
        }
        for (String name : names) {
            int distance = distance(text, name);
            if (distance < closest) {
                closest = distance;
                found = Optional.of(name);
            }
        }
        return found;
    }

    static int distance(String left, String right) {
        int[][] cost = new int[left.length() + 1][right.length() + 1];
        for (int i = 0; i <= left.length(); i++) {
            for (int j = 0; j <= right.length(); j++) {
                cost[i][j] = cheapest(cost, i, j, left, right);
            }
        }
        return cost[left.length()][right.length()];
    }

    private static int cheapest(int[][] cost, int i, int j, String left, String right) {
        if (i == 0 || j == 0) {
            return i + j;
        }
        boolean same = left.charAt(i - 1) == right.charAt(j - 1);
        int best = Math.min(cost[i - 1][j - 1] + (same ? 0 : 1), Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
        boolean swapped = i > 1
                && j > 1
                && left.charAt(i - 1) == right.charAt(j - 2)
                && left.charAt(i - 2) == right.charAt(j - 1);
        return swapped ? Math.min(best, cost[i - 2][j - 2] + 1) : best;
    }
}
