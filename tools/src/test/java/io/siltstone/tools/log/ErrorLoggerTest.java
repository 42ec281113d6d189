package io.siltstone.tools.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class ErrorLoggerTest {
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private PrintStream before;

  @BeforeEach
  void listen() {
    before = System.err;
    System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void giveBack() {
    System.setErr(before);
    System.clearProperty(LogProvider.VERBOSE);
  }

  private String printed() {
    return printed.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aFailureIsALine() {
    Logger log = LoggerFactory.getLogger("io.siltstone.any");
    assertThat(log).isInstanceOf(ErrorLogger.class);
    log.error("{} failed", "oa-1-big", new IOException("no space\n left"));
    log.warn("{} of {}", 1, 2);
    LoggerFactory.getLogger("org.other").warn("cannot look", new NoSuchFileException("/x"));
    log.info("what is well", new IOException("not told"));
    assertThat(printed())
        .isEqualTo(
            """
            siltstone: oa-1-big failed: no space left
            siltstone: 1 of 2
            siltstone: org.other: cannot look: no such file: /x
            """);
  }

  @Test
  void itsStackTraceIsPrintedWhereItIsAskedFor() {
    System.setProperty(LogProvider.VERBOSE, "true");
    LoggerFactory.getLogger("io.siltstone.any").error("failed", new IOException("reason"));
    assertThat(printed())
        .startsWith("siltstone: failed: reason\njava.io.IOException: reason\n\tat ");
  }
}
