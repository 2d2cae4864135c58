package io.tidemark.coordination.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class ZkSettingsTest {
    @Test
    void shouldSplitServersFromChroot() {
        ZkSettings settings = ZkSettings.plain("a:1,b:2/x/y", Duration.ofSeconds(6));
        assertThat(settings.servers()).isEqualTo("a:1,b:2");
        assertThat(settings.chroot()).isEqualTo("/x/y");
        assertThat(ZkSettings.plain("a:1", Duration.ofSeconds(6)).chroot()).isEmpty();
        assertThat(ZkSettings.plain("a:1/", Duration.ofSeconds(6)).chroot()).isEmpty();
    }

    @Test
    void shouldQuoteWhatIsWrong() {
        for (String bad : new String[] {"", "/x", "a:1/x//y", "a:1/x/"}) {
            assertThatThrownBy(() -> ZkSettings.plain(bad, Duration.ofSeconds(6)))
                    .as(bad)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("\"" + bad + "\"");
        }
        assertThatThrownBy(() -> ZkSettings.plain("a:1", Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldNotPrintSecrets() {
        ZkSettings settings = new ZkSettings("a:1", Duration.ofSeconds(6), new TreeMap<>(), "user:secret");

        assertThat(settings.toString()).doesNotContain("secret").contains("a:1");
    }
}
