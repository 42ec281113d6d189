package io.siltstone.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.tools.terminal.ExitCode;
import io.siltstone.tools.terminal.InterruptHandler;
import io.siltstone.tools.terminal.ToolMemory;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The messages of commands that the user interrupts. */
class InterruptionTest {
  private static final Path SAMPLE = Path.of("..", "docs", "sample");

  @TempDir private Path directory;
  private final AtomicBoolean isClosed = new AtomicBoolean();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private Path output;

  @BeforeEach
  void output() {
    output = directory.resolve("new/out");
  }

  /** Standard error, to which nothing may be printed after the process may have ended. */
  private final OutputStream inTime =
      new OutputStream() {
        @Override
        public void write(int b) {
          assertThat(isClosed).isFalse();
          err.write(b);
        }
      };

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  /** Simulates a JVM that is interrupted as soon as there is something to be stopped. */
  private void interrupt(Thread hook) {
    hook.start();
    while (hook.getState() != Thread.State.TIMED_WAITING
        && hook.getState() != Thread.State.TERMINATED) {
      Thread.onSpinWait();
    }
  }

  private int run(InterruptHandler interruption, String... args) {
    try (ToolMemory memory = new ToolMemory();
        interruption) {
      return Siltstone.run(args, OutputStream.nullOutputStream(), inTime, memory, interruption);
    }
  }

  private String[] load() {
    return new String[] {
      "load",
      "--schema=" + SAMPLE.resolve("schema.cql"),
      "--input=" + SAMPLE.resolve("readings.jsonl"),
      "--output=" + output
    };
  }

  @Test
  void anExportSaysThatNothingWasExported() {
    assertThat(run(new InterruptHandler(unused -> {}, unused -> {}), load()))
        .isEqualTo(ExitCode.OK);
    Path file = directory.resolve("rows.jsonl");
    InterruptHandler interrupted =
        new InterruptHandler(this::interrupt, unused -> isClosed.set(true));

    int code = run(interrupted, "export", "--output=" + file, output.toString());

    assertThat(err()).isEqualTo("siltstone: interrupted, nothing was exported\n");
    assertThat(code).isEqualTo(ExitCode.IO);
    assertThat(file).doesNotExist();
    assertThat(isClosed).isTrue();
  }

  @Test
  void aLoadThatWaitsForItsInputSaysThatNothingWasLoaded() throws Exception {
    Path pipe = pipe();
    List<Thread> hooks = new ArrayList<>();
    InterruptHandler interruption = new InterruptHandler(hooks::add, unused -> isClosed.set(true));
    FutureTask<Integer> load = new FutureTask<>(() -> run(interruption, load(pipe)));
    new Thread(load).start();
    try (OutputStream text = Files.newOutputStream(pipe)) {
      text.write("{}".getBytes(StandardCharsets.UTF_8));
      while (!Files.exists(output)) {
        Thread.onSpinWait();
      }
      interrupt(hooks.get(0));

      assertThat(load.get()).isEqualTo(ExitCode.IO);
    }
    assertThat(err()).isEqualTo("siltstone: interrupted, nothing was loaded\n");
    assertThat(directory.resolve("new")).doesNotExist();
    assertThat(isClosed).isTrue();
  }

  @Test
  void aLoadThatCannotBeWokenEndsAtOnceAndSaysSo() throws Exception {
    Path pipe = pipe();
    BlockingQueue<Thread> hooks = new LinkedBlockingQueue<>();
    InterruptHandler interruption = new InterruptHandler(hooks::add, unused -> {});
    FutureTask<Integer> load = new FutureTask<>(() -> run(interruption, load(pipe)));
    new Thread(load).start();
    Thread hook = hooks.take();

    hook.start();
    hook.join();

    assertThat(err()).isEqualTo("siltstone: interrupted, nothing was loaded\n");
    assertThat(output).doesNotExist();
    // The hook would have ended with its process.
    interruption.close();
    Files.newOutputStream(pipe).close();
    assertThat(load.get()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void aProcessThatIsEndingAlreadySaysSo() throws Exception {
    BlockingQueue<String> said = new LinkedBlockingQueue<>();
    InterruptHandler interruption =
        new InterruptHandler(
            hook -> {
              throw new IllegalStateException("the process is ending");
            },
            unused -> {});
    Thread command = new Thread(() -> interruption.endAtOnce(() -> said.add("farewell")));
    command.start();

    assertThat(said.take()).isEqualTo("farewell");
    interruption.close();
    command.join();
  }

  private String[] load(Path input) {
    String[] options = load();
    options[2] = "--input=" + input;
    return Stream.concat(Arrays.stream(options), Stream.of("--format=jsonl"))
        .toArray(String[]::new);
  }

  private Path pipe() throws Exception {
    Path pipe = directory.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    return pipe;
  }
}
