package io.siltstone.campaigns.kill;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Starts {@link KilledProcess} in a JVM that starts quickly: with a small heap, the C1 compiler
 * only, and a class data archive if the class path consists of jars.
 */
final class KilledJvm {
  private static final long PATIENCE_SECONDS = 120;

  private final List<String> command = new ArrayList<>();

  /**
   * Creates the class data archive, by a run of the process that ends by itself.
   *
   * @param directory for the archive
   */
  static KilledJvm prepare(Path directory, DatabaseLife training) throws IOException {
    KilledJvm plain = new KilledJvm();
    if (!isOfJars()) {
      return plain;
    }
    Path archive = directory.resolve("classes.jsa");
    Files.deleteIfExists(archive);
    Files.createDirectories(training.directory());
    KilledJvm recording = new KilledJvm();
    recording.command.add("-XX:ArchiveClassesAtExit=" + archive);
    Process process = recording.start(training, "training", 150);
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException(
            "the process to be killed does not run: " + Files.readString(training.errors()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      process.destroyForcibly();
    }
    if (Files.exists(archive)) {
      plain.command.add("-XX:SharedArchiveFile=" + archive);
    }
    return plain;
  }

  private KilledJvm() {
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx96m", "-Xss512k", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-XX:-UsePerfData", "-Xlog:disable", "-Xlog:all=off"));
    if (Runtime.version().feature() >= 22) {
      command.add("--enable-native-access=ALL-UNNAMED");
    }
    if (Runtime.version().feature() >= 23) {
      command.add("--sun-misc-unsafe-memory-access=allow");
    }
  }

  private static boolean isOfJars() {
    for (String entry : classPath().split(File.pathSeparator, -1)) {
      if (Files.isDirectory(Path.of(entry))) {
        return false;
      }
    }
    return true;
  }

  private static String classPath() {
    // Surefire puts the class path into the manifest of a jar, and keeps it in this property.
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  Process start(DatabaseLife life, String incarnation, long mostSteps) throws IOException {
    List<String> all = new ArrayList<>(command);
    all.addAll(List.of("-cp", classPath(), KilledProcess.class.getName()));
    all.addAll(List.of(life.directory().toString(), Long.toString(life.seed())));
    all.addAll(List.of(life.mode().name(), incarnation, Long.toString(mostSteps)));
    return new ProcessBuilder(all)
        .redirectErrorStream(true)
        .redirectOutput(life.errors().toFile())
        .start();
  }
}
