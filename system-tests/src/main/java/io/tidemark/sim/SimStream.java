package io.tidemark.sim;

import io.tidemark.runtime.Cancellable;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A stream of requests from one process to one host, like the broker's own: requests arrive in order, answers come in the order of
 * the requests, and a break answers all that is outstanding with null; the next request opens it again. A timeout is a break, since
 * a late answer would be taken for the next one's.
 */
public final class SimStream implements AutoCloseable {
    private final SimNetwork network;
    private final MessageKind kind;
    private final ProcessThreads from;
    private final NetworkPeer to;
    private final Ends ends;
    private @Nullable Conversation current;
    private boolean closed;

    /** What else than its callers learns that the stream has ended. */
    interface Ends {
        /** Nobody minds. */
        Ends NOBODY = new Ends() {
            @Override
            public void broke() {}

            @Override
            public Optional<Runnable> callerGone() {
                return Optional.empty();
            }
        };

        /** At the caller: it broke, and was not closed. */
        void broke();

        /** At the process that serves, in that process: whoever opened it has ended. */
        Optional<Runnable> callerGone();
    }

    SimStream(SimNetwork network, MessageKind kind, ProcessThreads from, NetworkPeer to, Ends ends) {
        this.network = network;
        this.kind = kind;
        this.from = from;
        this.to = to;
        this.ends = ends;
    }

    /** Opens it without a request, unless it is open or closed for good. */
    void open() {
        if (!closed && current == null) {
            thither().send(new Opening(conversation()));
        }
    }

    /**
     * Sends a request.
     *
     * @param timeout by the caller's clock; with it the stream breaks
     * @param serve given what to answer with, null for no answer; runs in the process there
     * @param answer given exactly once while the caller lives; null for no answer
     */
    public <A> void call(Duration timeout, Consumer<Consumer<@Nullable A>> serve, Consumer<@Nullable A> answer) {
        if (closed) {
            answer.accept(null);
            return;
        }
        Conversation conversation = conversation();
        conversation.send(new Request<>(conversation, serve, answer), timeout);
    }

    private Conversation conversation() {
        Conversation open = current;
        if (open == null) {
            open = new Conversation();
            current = open;
            network.begin(open);
        }
        return open;
    }

    /** Breaks it: what is outstanding is answered with null, at once; nothing can be sent any more. Idempotent. */
    @Override
    public void close() {
        closed = true;
        Conversation conversation = current;
        if (conversation != null) {
            conversation.end();
        }
    }

    private SimLink thither() {
        return network.link(from.id(), to.id());
    }

    private SimLink back() {
        return network.link(to.id(), from.id());
    }

    /** The stream between two breaks. */
    private final class Conversation implements SimNetwork.Outstanding {
        /** At the caller: what has no answer yet. */
        private final ArrayDeque<Request<?>> waiting = new ArrayDeque<>();
        /** At the other host: what was served and not answered yet. */
        private final ArrayDeque<Request<?>> serving = new ArrayDeque<>();

        private @Nullable ProcessThreads holder;
        private boolean requestLost;
        private boolean answerLost;
        private boolean ended;

        void send(Request<?> request, Duration timeout) {
            waiting.add(request);
            request.timer = from.schedule(timeout, this::end);
            thither().send(request);
        }

        /** False if the stream is no more what it was when the request was sent. */
        boolean takes(ProcessThreads there) {
            if (holder == null) {
                holder = there;
            }
            return holder == there;
        }

        void flush() {
            Request<?> first = serving.peek();
            while (first != null && first.isReady()) {
                serving.remove();
                back().send(first.reply());
                first = serving.peek();
            }
        }

        /** At the caller: the first of what is outstanding has its answer. */
        void answered(Request<?> request) {
            if (ended) {
                return;
            }
            if (waiting.poll() != request) {
                throw new IllegalStateException(kind + " from " + from + ": answered out of order");
            }
            request.settle();
        }

        @Override
        public ProcessThreads caller() {
            return from;
        }

        @Override
        public @Nullable ProcessThreads holder() {
            return holder;
        }

        @Override
        public void reset() {
            from.enter(this::end);
        }

        @Override
        public void callerEnded() {
            ProcessThreads there = holder;
            if (there != null) {
                ends.callerGone().ifPresent(news -> thither().send(new HangUp(there, news)));
            }
        }

        void end() {
            if (ended) {
                return;
            }
            ended = true;
            if (current == this) {
                current = null;
            }
            network.end(this);
            List<Request<?>> unanswered = List.copyOf(waiting);
            waiting.clear();
            for (Request<?> request : unanswered) {
                thither().repeat(request);
                request.settle();
            }
            if (!closed) {
                ends.broke();
            }
        }
    }

    /** The stream is opened, and nothing is asked yet. */
    private final class Opening implements Envelope {
        private final Conversation conversation;

        Opening(Conversation conversation) {
            this.conversation = conversation;
        }

        @Override
        public MessageKind kind() {
            return kind;
        }

        @Override
        public void arrive() {
            ProcessThreads there = to.threads();
            if (there == null || !conversation.takes(there)) {
                conversation.requestLost = true;
                network.sendReset(to.id(), conversation);
            }
        }

        @Override
        public void lost(Loss loss) {
            conversation.requestLost = true;
            if (loss == Loss.TOLD) {
                conversation.reset();
            }
        }

        @Override
        public void arriveAgain() {}
    }

    /** The caller's host closes the connection of a process that ended. */
    private record HangUp(ProcessThreads there, Runnable news) implements Envelope {
        @Override
        public MessageKind kind() {
            return MessageKind.RESET;
        }

        @Override
        public void arrive() {
            there.enter(news);
        }

        @Override
        public void lost(Loss loss) {
            if (loss == Loss.TOLD) {
                there.enter(news);
            }
        }

        @Override
        public void arriveAgain() {}
    }

    private final class Request<A> implements Envelope {
        private final Conversation conversation;
        private final Consumer<Consumer<@Nullable A>> serve;
        private final Consumer<@Nullable A> answer;
        private Cancellable timer = () -> {};
        private boolean ready;
        private @Nullable A result;

        Request(Conversation conversation, Consumer<Consumer<@Nullable A>> serve, Consumer<@Nullable A> answer) {
            this.conversation = conversation;
            this.serve = serve;
            this.answer = answer;
        }

        boolean isReady() {
            return ready;
        }

        Envelope reply() {
            return new Reply(this);
        }

        @Override
        public MessageKind kind() {
            return kind;
        }

        @Override
        public void arrive() {
            if (conversation.requestLost) {
                return;
            }
            ProcessThreads there = to.threads();
            if (there == null || !conversation.takes(there)) {
                conversation.requestLost = true;
                network.sendReset(to.id(), conversation);
                return;
            }
            conversation.serving.add(this);
            there.enter(() -> serve.accept(this::answered));
        }

        private void answered(@Nullable A given) {
            if (!ready) {
                ready = true;
                result = given;
                conversation.flush();
            }
        }

        @Override
        public void arriveAgain() {
            ProcessThreads there = to.threads();
            if (there != null) {
                there.enter(() -> serve.accept(unheard -> {}));
            }
        }

        @Override
        public void lost(Loss loss) {
            conversation.requestLost = true;
            if (loss == Loss.TOLD) {
                conversation.reset();
            }
        }

        /** Answers the caller with what there is. */
        void settle() {
            timer.cancel();
            answer.accept(conversation.ended ? null : result);
        }
    }

    private final class Reply implements Envelope {
        private final Request<?> request;
        private final Conversation conversation;

        Reply(Request<?> request) {
            this.request = request;
            this.conversation = request.conversation;
        }

        @Override
        public MessageKind kind() {
            return kind.answer();
        }

        @Override
        public void arrive() {
            if (!conversation.answerLost) {
                from.enter(() -> conversation.answered(request));
            }
        }

        @Override
        public void lost(Loss loss) {
            conversation.answerLost = true;
            if (loss == Loss.TOLD) {
                conversation.reset();
            }
        }

        @Override
        public void arriveAgain() {}
    }
}
