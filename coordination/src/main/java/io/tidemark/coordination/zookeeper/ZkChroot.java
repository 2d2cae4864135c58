package io.tidemark.coordination.zookeeper;

import io.tidemark.coordination.zookeeper.ZkResult.Kind;
import java.util.List;
import java.util.function.Consumer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;

/** Makes the nodes of a chroot that are missing, one level after the other, without waiting. */
final class ZkChroot {
    private final ZooKeeper handle;
    private final String chroot;
    private final List<ACL> acl;
    private final Consumer<Kind> done;

    private ZkChroot(ZooKeeper handle, String chroot, List<ACL> acl, Consumer<Kind> done) {
        this.handle = handle;
        this.chroot = chroot;
        this.acl = acl;
        this.done = done;
    }

    /** Answers on the client's thread, or at once if the chroot is empty. */
    static void ensure(ZooKeeper handle, String chroot, List<ACL> acl, Consumer<Kind> done) {
        new ZkChroot(handle, chroot, acl, done).createBelow(0);
    }

    private void createBelow(int parentLength) {
        if (parentLength >= chroot.length()) {
            done.accept(Kind.OK);
            return;
        }
        int slash = chroot.indexOf('/', parentLength + 1);
        int length = slash < 0 ? chroot.length() : slash;
        String path = chroot.substring(0, length);
        // Asked first, because whoever may use the chroot need not be allowed to create beside it.
        handle.exists(path, false, (code, name, context, stat) -> onExists(ZkReplies.kind(code, path), length), null);
    }

    private void onExists(Kind found, int length) {
        if (found == Kind.OK) {
            createBelow(length);
        } else if (found == Kind.NO_NODE) {
            String path = chroot.substring(0, length);
            handle.create(
                    path,
                    new byte[0],
                    acl,
                    CreateMode.PERSISTENT,
                    (code, name, context, created) -> onCreated(ZkReplies.kind(code, path), length),
                    null);
        } else {
            done.accept(found);
        }
    }

    private void onCreated(Kind outcome, int length) {
        if (outcome == Kind.OK || outcome == Kind.NODE_EXISTS) {
            createBelow(length);
        } else {
            done.accept(outcome);
        }
    }
}
