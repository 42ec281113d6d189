package io.siltstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.files.TextFile;
import io.siltstone.io.Directory;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Small files are replaced atomically, even after a power loss. */
class TextFileTest {
  private static final String NAME = "notes";

  private static final class Replacing implements PowerCuts.Case {
    private String last = "";
    private String next = "";

    @Override
    public void run(Directory disk) throws IOException {
      for (String text : new String[] {"one", "two, and longer", "Ünï", "4"}) {
        next = text;
        TextFile.replace(disk, NAME, text);
        last = text;
        assertThat(TextFile.read(disk, NAME)).isEqualTo(text);
      }
    }

    @Override
    public void check(Directory rebooted) throws IOException {
      String found = rebooted.exists(NAME) ? TextFile.read(rebooted, NAME) : "";
      assertThat(found).isIn(last, next);
      TextFile.replace(rebooted, NAME, "again");
      assertThat(TextFile.read(rebooted, NAME)).isEqualTo("again");
      TextFile.removeTemporary(rebooted, NAME);
      assertThat(rebooted.files()).containsExactly(NAME);
    }
  }

  @ParameterizedTest
  @EnumSource(FileSystemModel.class)
  void theOldOrTheNewTextIsThere(FileSystemModel model) {
    PowerCuts.on(model, 1).lossesPerPoint(5).atEachOperation(Replacing::new);
  }
}
