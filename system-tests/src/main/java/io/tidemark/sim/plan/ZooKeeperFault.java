package io.tidemark.sim.plan;

/** What goes wrong between brokers and ZooKeeper, and with ZooKeeper itself. */
public sealed interface ZooKeeperFault extends SimFault {
    @Override
    default FaultFamily family() {
        return FaultFamily.ZOOKEEPER;
    }

    /** Nothing passes between the broker and ZooKeeper. */
    record Cut(Target who, int lastsMs) implements ZooKeeperFault {
        @Override
        public Cut lasting(int otherMs) {
            return new Cut(who, otherMs);
        }

        @Override
        public String text() {
            return "zk-cut " + who.text() + " for " + lastsMs + "ms";
        }
    }

    /** What the broker asks is done, and it hears nothing of it. */
    record CutReplies(Target who, int lastsMs) implements ZooKeeperFault {
        @Override
        public CutReplies lasting(int otherMs) {
            return new CutReplies(who, otherMs);
        }

        @Override
        public String text() {
            return "zk-cut-replies " + who.text() + " for " + lastsMs + "ms";
        }
    }

    /** What the broker asks next is done, and the answer is lost with the connection. */
    record LoseReply(Target who) implements ZooKeeperFault {
        @Override
        public String text() {
            return "zk-lose-reply " + who.text();
        }
    }

    /** The broker's session ends. */
    record Expire(Target who) implements ZooKeeperFault {
        @Override
        public String text() {
            return "zk-expire " + who.text();
        }
    }

    /** All sessions end. */
    record ExpireAll() implements ZooKeeperFault {
        @Override
        public String text() {
            return "zk-expire-all";
        }
    }

    /** The ensemble is killed, and comes back with its data and sessions. */
    record Stop(int lastsMs) implements ZooKeeperFault {
        @Override
        public Stop lasting(int otherMs) {
            return new Stop(otherMs);
        }

        @Override
        public String text() {
            return "zk-stop for " + lastsMs + "ms";
        }
    }

    /** The ensemble is stopped in its tracks, and goes on. */
    record Pause(int lastsMs) implements ZooKeeperFault {
        @Override
        public Pause lasting(int otherMs) {
            return new Pause(otherMs);
        }

        @Override
        public String text() {
            return "zk-pause for " + lastsMs + "ms";
        }
    }
}
