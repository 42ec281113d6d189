package io.siltstone.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassArchiveTrainingTest {
  @TempDir private Path directory;

  @Test
  void allCommandsSucceed() throws Exception {
    assertThat(ClassArchiveTraining.run(directory)).isTrue();
    assertThat(directory.resolve("table/oa-3-big-Data.db")).exists();
  }
}
