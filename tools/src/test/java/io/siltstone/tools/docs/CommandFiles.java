package io.siltstone.tools.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.tools.Siltstone;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.Deflater;

/**
 * The files of the command line as an unpacked tar has them: the script {@code siltstone} and the
 * jars of {@code lib}. There also is a class data archive of them, as the script makes it, because
 * commands start in half of the time with it.
 */
final class CommandFiles {
  static final Path JAVA_HOME = Path.of(System.getProperty("java.home"));

  private static final Path TEST_CLASSES = Path.of("target", "test-classes").toAbsolutePath();

  private final Path directory;

  /** Makes the files in an empty directory. */
  CommandFiles(Path directory) throws Exception {
    this.directory = directory;
    Files.copy(Page.ROOT.resolve("siltstone"), script());
    Files.setPosixFilePermissions(script(), PosixFilePermissions.fromString("rwxr-xr-x"));
    Path lib = Files.createDirectory(directory.resolve("lib"));
    int count = 0;
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path path = Path.of(entry).toAbsolutePath();
      Path jar = lib.resolve(count++ + "-" + path.getFileName() + ".jar");
      if (!Files.isDirectory(path)) {
        Files.copy(path, jar);
      } else if (!path.equals(TEST_CLASSES)) {
        // Java archives only classes of jars.
        putIntoJar(path, jar);
      }
    }
    archiveClasses();
  }

  private static void putIntoJar(Path classes, Path jar) throws IOException {
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        Stream<Path> all = Files.walk(classes)) {
      out.setLevel(Deflater.NO_COMPRESSION);
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
        Files.copy(file, out);
        out.closeEntry();
      }
    }
  }

  private void archiveClasses() throws Exception {
    List<String> command =
        new ArrayList<>(List.of(java(), "-XX:ArchiveClassesAtExit=" + archive()));
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xlog:disable"));
    command.addAll(List.of("-cp", jars()));
    command.add(Siltstone.class.getPackageName() + ".ClassArchiveTraining");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(process.waitFor()).isZero();
  }

  /** Returns the script. */
  Path script() {
    return directory.resolve("siltstone");
  }

  /** Returns the command that starts a main class of these tests with the options of commands. */
  List<String> javaCommand(Class<?> main) {
    List<String> command = new ArrayList<>(List.of(java()));
    command.addAll(List.of(javaOptions().split(" ")));
    int version = Runtime.version().feature();
    if (version >= 22) {
      command.add("--enable-native-access=ALL-UNNAMED");
    }
    if (version >= 23) {
      command.add("--sun-misc-unsafe-memory-access=allow");
    }
    command.addAll(List.of("-cp", jars() + File.pathSeparator + TEST_CLASSES, main.getName()));
    return command;
  }

  /** Returns options of the JVM for a quick start, separated by blanks. */
  String javaOptions() {
    return "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx256m"
        + " -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
        + (" -XX:SharedArchiveFile=" + archive());
  }

  private static String java() {
    return JAVA_HOME.resolve("bin/java").toString();
  }

  private String jars() {
    return directory.resolve("lib") + "/*";
  }

  private Path archive() {
    return directory.resolve("classes.jsa");
  }
}
