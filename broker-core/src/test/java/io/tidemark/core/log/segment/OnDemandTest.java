package io.tidemark.core.log.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class OnDemandTest {
    private final List<Resource> opened = new ArrayList<>();
    private final ResourceCache cache = new ResourceCache(2);

    private static final class Resource implements AutoCloseable {
        private boolean closed;

        @Override
        public void close() {
            closed = true;
        }
    }

    private OnDemand<Resource> onDemand() {
        return new OnDemand<>(cache, () -> {
            Resource resource = new Resource();
            opened.add(resource);
            return resource;
        });
    }

    private static void use(OnDemand<Resource> resource) throws IOException {
        resource.acquire().release();
    }

    private long open() {
        return opened.stream().filter(resource -> !resource.closed).count();
    }

    @Test
    void shouldOpenOnceAndCloseOnlyWhenTheLastUserHasLeft() throws IOException {
        // given
        OnDemand<Resource> resource = onDemand();
        Shared<Resource> first = resource.acquire();
        Shared<Resource> second = resource.acquire();

        // when
        resource.retire();
        first.release();

        // then
        assertThat(opened).hasSize(1);
        assertThat(open()).isEqualTo(1);
        second.release();
        assertThat(open()).isZero();
        assertThat(resource.acquire()).isNull();
        assertThat(first.tryAcquire()).isFalse();
    }

    @Test
    void shouldKeepNoMoreOpenThanTheCacheAllows() throws IOException {
        // given
        List<OnDemand<Resource>> resources = List.of(onDemand(), onDemand(), onDemand(), onDemand());

        // when
        for (int round = 0; round < 3; round++) {
            for (OnDemand<Resource> resource : resources) {
                use(resource);
            }
        }

        // then
        assertThat(open()).isEqualTo(2);
        assertThat(cache.size()).isEqualTo(2);
    }

    @Test
    void shouldGiveWhatIsUsedASecondChance() throws IOException {
        // given
        OnDemand<Resource> hot = onDemand();
        use(hot);
        use(onDemand());
        hot.wasUsed();

        // when
        for (int i = 0; i < 5; i++) {
            use(hot);
            use(onDemand());
        }

        // then: the hot one was opened once
        assertThat(opened.get(0).closed).isFalse();
        assertThat(opened).hasSize(7);
    }

    @Test
    void shouldNotCloseOrCountWhatIsPinned() throws IOException {
        // given
        OnDemand<Resource> pinned = onDemand();
        Resource own = new Resource();
        pinned.pin(own);

        // when
        for (int i = 0; i < 5; i++) {
            use(onDemand());
        }

        // then
        assertThat(own.closed).isFalse();
        assertThat(pinned.acquire().resource()).isSameAs(own);
        pinned.unpin();
        for (int i = 0; i < 5; i++) {
            use(onDemand());
        }
        assertThat(own.closed).isFalse();
        pinned.evict();
        assertThat(cache.size()).isEqualTo(2);
    }
}
