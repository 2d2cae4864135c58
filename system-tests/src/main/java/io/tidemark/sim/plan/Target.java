package io.tidemark.sim.plan;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Whom a fault strikes: a host by its number, or whoever has a role at the moment when it strikes. */
public sealed interface Target {
    /** @param id of a broker, or of a client where links are meant */
    record Host(int id) implements Target {
        @Override
        public String text() {
            return Integer.toString(id);
        }
    }

    /** Nobody may have a role: then the fault strikes nobody. */
    enum Role implements Target {
        /** Leads in the highest epoch. */
        LEADER,
        CONTROLLER,
        /** The next running broker behind the leader, in the order of their numbers. */
        FOLLOWER;

        @Override
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** As plans write it: {@code 2}, {@code leader}. */
    String text();

    /** Reads what {@link #text()} writes. */
    static Optional<Target> parse(String word) {
        if (word.matches("[0-9]{1,9}")) {
            return Optional.of(new Host(Integer.parseInt(word)));
        }
        return Arrays.<Target>stream(Role.values())
                .filter(role -> role.text().equals(word))
                .findFirst();
    }
}
