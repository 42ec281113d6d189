package io.siltstone.campaigns;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** Runs the campaign of virtual threads for a moment. */
class ThreadsCampaignTest {
  @TempDir private Path directory;

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21)
  void interruptedVirtualThreadsLoseNothing() {
    StringWriter out = new StringWriter();
    PrintWriter writer = new PrintWriter(out);
    int code =
        Campaigns.commandLine()
            .setOut(writer)
            .setErr(writer)
            .execute(
                "threads",
                "--rounds",
                "1",
                "--threads",
                "200",
                "--seed",
                Long.toString(Long.getLong("siltstone.seed", 1)),
                "--directory",
                directory.toString());
    assertThat(code).as(out.toString()).isZero();
  }
}
