package io.tidemark.checker;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What is known about a case: named numbers, rows of numbers and rows of words, in the order in which they were named.
 * Immutable.
 */
public final class Facts implements Comparable<Facts> {
    private final List<Fact> all;

    private enum Shape {
        NUMBER,
        ROW
    }

    /** One of them: numbers or words. */
    private record Fact(String name, Shape shape, List<Long> numbers, List<String> words) {
        Fact {
            numbers = List.copyOf(numbers);
            words = List.copyOf(words);
        }
    }

    private Facts(List<Fact> all) {
        this.all = List.copyOf(all);
    }

    static Facts none() {
        return new Facts(List.of());
    }

    static Facts of(String name, long number) {
        return none().with(name, number);
    }

    Facts with(String name, long number) {
        return and(new Fact(name, Shape.NUMBER, List.of(number), List.of()));
    }

    Facts with(String name, List<Long> numbers) {
        return and(new Fact(name, Shape.ROW, numbers, List.of()));
    }

    Facts withWords(String name, List<String> words) {
        return and(new Fact(name, Shape.ROW, List.of(), words));
    }

    private Facts and(Fact fact) {
        List<Fact> more = new ArrayList<>(all);
        more.add(fact);
        return new Facts(more);
    }

    /** As JSON: a number, or a row of numbers or words, under each name. */
    public JsonObject json() {
        JsonObject json = new JsonObject();
        for (Fact fact : all) {
            if (fact.shape() == Shape.NUMBER) {
                json.addProperty(fact.name(), fact.numbers().get(0));
                continue;
            }
            JsonArray row = new JsonArray();
            fact.numbers().forEach(number -> row.add(new JsonPrimitive(number)));
            fact.words().forEach(row::add);
            json.add(fact.name(), row);
        }
        return json;
    }

    /** For a person: {@code key 0, op 35, values 1 3}. */
    public String text() {
        return all.stream()
                .map(fact -> fact.name() + " "
                        + (fact.words().isEmpty()
                                ? fact.numbers().stream().map(String::valueOf).collect(Collectors.joining(" "))
                                : String.join(" ", fact.words())))
                .collect(Collectors.joining(", "));
    }

    /** By the numbers, one after the other. */
    @Override
    public int compareTo(Facts other) {
        for (int i = 0; i < Math.min(all.size(), other.all.size()); i++) {
            int order = compare(all.get(i).numbers(), other.all.get(i).numbers());
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(all.size(), other.all.size());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Facts that && all.equals(that.all);
    }

    @Override
    public int hashCode() {
        return all.hashCode();
    }

    @Override
    public String toString() {
        return text();
    }

    private static int compare(List<Long> left, List<Long> right) {
        for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
            int order = Long.compare(left.get(i), right.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(left.size(), right.size());
    }
}
