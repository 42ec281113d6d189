package io.siltstone.tools.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.tools.Fixture;
import io.siltstone.tools.terminal.ExitCode;
import io.siltstone.tools.terminal.Terminal;
import io.siltstone.tools.terminal.ToolMemory;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

final class MetadataCommandTest {
  @AutoClose private static final ToolMemory MEMORY = new ToolMemory();
  // Shortly after the fixtures were written; the share of droppable tombstones depends on it.
  private static final Instant NOW = Instant.parse("2026-11-21T00:10:55Z");

  private static String metadata(Instant now, ZoneId zone, String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Terminal terminal = Terminal.of(out, err);
    int code =
        new CommandLine(new MetadataCommand(terminal, MEMORY, Clock.fixed(now, zone)))
            .execute(args);
    terminal.out().flush();
    assertThat(code).isEqualTo(ExitCode.OK);
    return out.toString(StandardCharsets.UTF_8);
  }

  /**
   * Returns the lines without the table's name, and without those that sstablemetadata finds by a
   * scan.
   */
  private static List<String> lines(String text) {
    List<String> lines = new ArrayList<>();
    boolean scan = true;
    for (String line : text.lines().toList()) {
      scan &= !line.startsWith("Partitioner:");
      if (!scan && !line.startsWith("Estimated droppable")) {
        lines.add(line);
      }
    }
    return lines;
  }

  @ParameterizedTest
  @EnumSource
  void isWhatSstablemetadataPrints(Fixture fixture) {
    String text = metadata(NOW, ZoneOffset.UTC, fixture.data().toString());

    assertThat(lines(text)).isNotEmpty().isEqualTo(lines(fixture.metadata()));
    assertThat(text).startsWith("SSTable: ").contains("\nEstimated droppable tombstones: ");
  }

  @Test
  void droppableTombstonesAreToldByTheClock() {
    String file = Fixture.TYPES_COMPACTED.data().toString();

    assertThat(metadata(NOW, ZoneOffset.UTC, file))
        .contains("\nEstimated droppable tombstones: 0.0\n");
    // All of its 269 tombstones, of 3944 cells by the histogram.
    assertThat(metadata(NOW.plusSeconds(400 * 86_400L), ZoneOffset.UTC, file))
        .contains("\nEstimated droppable tombstones: 0.136");
    assertThat(
            metadata(NOW.plusSeconds(400 * 86_400L), ZoneOffset.UTC, "-g", "" + 400 * 86_400, file))
        .contains("\nEstimated droppable tombstones: 0.0\n");
  }

  @Test
  void datesAreOfTheClocksZone() {
    assertThat(metadata(NOW, ZoneOffset.ofHours(2), Fixture.MANY.data().toString()))
        .contains("\nMinimum timestamp: 11/15/2023 00:13:20 (1700000000000000)\n");
  }

  @Test
  void severalTablesOneAfterTheOther() {
    String text =
        metadata(
            NOW,
            ZoneOffset.UTC,
            Fixture.MANY.data().toString(),
            Fixture.KEYSONLY_UNCOMPRESSED.data().toString());

    assertThat(text.lines().filter(line -> line.startsWith("SSTable: "))).hasSize(2);
  }

  @Test
  void ttlsAreInWords() {
    assertThat(Quantities.ttl(0)).isNull();
    assertThat(Quantities.ttl(1)).isEqualTo("1 second");
    assertThat(Quantities.ttl(60)).isEqualTo("1 minute");
    assertThat(Quantities.ttl(86_400 + 300)).isEqualTo("1 day 0 hours 5 minutes");
    assertThat(Quantities.ttl(Integer.MAX_VALUE)).isEqualTo("never");
  }
}
