package io.siltstone.tools.docs;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code siltstone} of the source tree, with a Java that prints its arguments. */
@DisabledOnOs(OS.WINDOWS)
class ScriptTest {
  @TempDir private Path directory;

  @Test
  void theTreeIsFoundWhateverCdpathSays() throws Exception {
    Path tree = Files.createDirectories(directory.toRealPath().resolve("tree"));
    script(tree.resolve("siltstone"), Files.readString(Page.ROOT.resolve("siltstone")));
    // Built later than all sources: there are none.
    Files.createFile(
        Files.createDirectories(tree.resolve("tools/target")).resolve("siltstone.built"));
    Path home = Files.createDirectory(directory.resolve("java"));
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"17.0.1\"\n");
    script(
        Files.createDirectory(home.resolve("bin")).resolve("java"),
        "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");

    Path out = directory.resolve("out.txt");
    ProcessBuilder builder =
        new ProcessBuilder("/bin/sh", "tree/siltstone", "info")
            .directory(requireNonNull(tree.getParent()).toFile())
            .redirectOutput(out.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().put("JAVA_HOME", home.toString());
    builder.environment().put("CDPATH", tree.getParent().toString());
    builder.environment().remove("SILTSTONE_JAVA_OPTS");
    Process process = builder.start();
    process.getOutputStream().close();

    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).isZero();
    assertThat(Files.readString(out, StandardCharsets.UTF_8))
        .isEqualTo(
            "-cp\n%s/tools/target/classes:%s/tools/target/lib/*\n%s\ninfo\n"
                .formatted(tree, tree, "io.siltstone.tools.Siltstone"));
  }

  private static void script(Path file, String text) throws IOException {
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
