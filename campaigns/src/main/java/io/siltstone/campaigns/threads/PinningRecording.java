package io.siltstone.campaigns.threads;

import io.siltstone.campaigns.run.Counts;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/**
 * Records where virtual threads pin their carrier threads for more than a millisecond ({@code
 * jdk.VirtualThreadPinned}), by method of the engine.
 */
final class PinningRecording implements Closeable {
  private static final String EVENT = "jdk.VirtualThreadPinned";

  private final Recording recording = new Recording();

  PinningRecording() {
    recording.enable(EVENT).withThreshold(Duration.ofMillis(1)).withStackTrace();
    recording.start();
  }

  /** Stops the recording, and adds up what was recorded. */
  void count(Path directory, Counts counts) throws IOException {
    recording.stop();
    Path file = directory.resolve("pinned.jfr");
    recording.dump(file);
    for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
      if (event.getEventType().getName().equals(EVENT)) {
        counts.add("pinned for more than 1 ms");
        counts.add("pinned in " + place(event.getStackTrace()));
        counts.add("pinned, milliseconds in all", event.getDuration().toMillis());
      }
    }
    Files.delete(file);
  }

  /** Returns the innermost method of the engine. */
  private static String place(@Nullable RecordedStackTrace trace) {
    List<RecordedFrame> frames = trace == null ? List.of() : trace.getFrames();
    for (RecordedFrame frame : frames) {
      String type = frame.getMethod().getType().getName();
      if (type.startsWith("io.siltstone.") && !type.startsWith("io.siltstone.campaigns.")) {
        return type.substring("io.siltstone.".length()) + "." + frame.getMethod().getName();
      }
    }
    return "other code";
  }

  @Override
  public void close() {
    recording.close();
  }
}
