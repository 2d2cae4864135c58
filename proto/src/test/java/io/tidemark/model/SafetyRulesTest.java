package io.tidemark.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class SafetyRulesTest {
    private static final Path PAGE = Path.of("..", "docs", "rules.md");

    @ParameterizedTest
    @EnumSource(SafetyRule.class)
    void shouldWaiveOneRuleAndKeepTheOthers(SafetyRule waived) {
        // when
        SafetyRules rules = SafetyRules.without(waived);

        // then
        for (SafetyRule rule : SafetyRule.values()) {
            assertThat(rules.keeps(rule)).as(rule.name()).isEqualTo(rule != waived);
            assertThat(SafetyRules.ALL.keeps(rule)).as(rule.name()).isTrue();
        }
        assertThat(rules.waived()).containsExactly(waived);
    }

    @Test
    void shouldNameWhatIsWaivedInTheOrderOfDeclaration() {
        // when
        SafetyRules rules = SafetyRules.without(SafetyRule.CLEAN_BELOW_HW, SafetyRule.FETCH_IN_ONE_EPOCH);

        // then
        assertThat(rules.waived()).containsExactly(SafetyRule.FETCH_IN_ONE_EPOCH, SafetyRule.CLEAN_BELOW_HW);
        assertThat(rules).hasToString("all rules but FETCH_IN_ONE_EPOCH, CLEAN_BELOW_HW");
        assertThat(SafetyRules.ALL).hasToString("all rules");
    }

    @Test
    void shouldBeAValue() {
        SafetyRules one = SafetyRules.without(SafetyRule.EPOCH_WALK, SafetyRule.ACK_WHEN_COMMITTED);
        SafetyRules same = SafetyRules.without(SafetyRule.ACK_WHEN_COMMITTED, SafetyRule.EPOCH_WALK);

        assertThat(one).isEqualTo(same).hasSameHashCodeAs(same).isNotEqualTo(SafetyRules.ALL);
        assertThat(SafetyRules.without()).isEqualTo(SafetyRules.ALL);
    }

    @Test
    void shouldHaveAFirstLineThatStandsAlone() {
        for (SafetyRule rule : SafetyRule.values()) {
            rule.shieldedBy()
                    .ifPresent(first -> assertThat(first.shieldedBy())
                            .as("%s in front of %s", first, rule)
                            .isEmpty());
        }
        assertThat(SafetyRule.BATCH_NOT_ABOVE_FETCH.shieldedBy()).contains(SafetyRule.FETCH_IN_ONE_EPOCH);
        assertThat(SafetyRule.STAYING_ENTRY_COPIED.shieldedBy()).contains(SafetyRule.NEW_INCARNATION_LEAVES_ISR);
    }

    @ParameterizedTest
    @EnumSource(SafetyRule.class)
    void shouldStandInTheRowOfItsRule(SafetyRule rule) throws IOException {
        // when
        List<String> rows = Files.readAllLines(PAGE).stream()
                .filter(line -> line.startsWith("| " + rule.rule() + " |"))
                .toList();

        // then
        assertThat(rows).singleElement().asString().contains("`" + rule.name() + "`");
    }
}
