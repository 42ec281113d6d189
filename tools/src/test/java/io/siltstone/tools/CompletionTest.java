package io.siltstone.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.tools.terminal.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Runs the script for tab completion in bash. */
@DisabledOnOs(OS.WINDOWS)
class CompletionTest {
  @TempDir private Path directory;

  private String completions(String... words) throws IOException, InterruptedException {
    Run script = Run.of("generate-completion");
    assertThat(script.code()).isEqualTo(ExitCode.OK);
    Path file = Files.writeString(directory.resolve("completion"), script.out());
    Process bash =
        new ProcessBuilder(
                "bash",
                "-c",
                "source '"
                    + file
                    + "'; COMP_WORDS=(siltstone "
                    + String.join(" ", words)
                    + "); COMP_CWORD="
                    + words.length
                    + "; _complete_siltstone; echo \"${COMPREPLY[@]}\"")
            .redirectErrorStream(true)
            .start();
    bash.getOutputStream().close();
    String printed = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor()).as(printed).isZero();
    return printed;
  }

  @Test
  void commandsAndOptionsAreCompleted() throws Exception {
    assertThat(completions("recom").split("\\s+")).containsExactly("recompress");
    assertThat(completions("recompress", "--chunk"))
        .contains("--chunk-length")
        .doesNotContain("--schema");
  }
}
