package io.tidemark.coordination.zookeeper;

import io.tidemark.coordination.zookeeper.ZkResult.Kind;
import io.tidemark.coordination.zookeeper.ZkSession.CreateMode;
import java.util.function.Consumer;

/** Makes the empty parents of {@link ZkPaths#SKELETON} that are missing. */
public final class ZkSkeleton {
    private final Consumer<ZkResult<Void>> done;
    private int open = ZkPaths.SKELETON.size();
    private Kind worst = Kind.OK;

    private ZkSkeleton(Consumer<ZkResult<Void>> done) {
        this.done = done;
    }

    /** Answers OK when all of them stand, else the first failure. */
    public static void ensure(ZkSession session, Consumer<ZkResult<Void>> done) {
        ZkSkeleton skeleton = new ZkSkeleton(done);
        for (String path : ZkPaths.SKELETON) {
            session.create(path, "", CreateMode.PERSISTENT, skeleton::onCreated);
        }
    }

    private void onCreated(ZkResult<ZkStat> answer) {
        boolean stands = answer.isOk() || answer.kind() == Kind.NODE_EXISTS;
        if (!stands && worst == Kind.OK) {
            worst = answer.kind();
        }
        open--;
        if (open == 0) {
            done.accept(worst == Kind.OK ? ZkResult.ok(null) : ZkResult.failed(worst));
        }
    }
}
