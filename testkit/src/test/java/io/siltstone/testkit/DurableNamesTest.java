package io.siltstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.io.Directory;
import io.siltstone.io.WriteIntent;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DurableNamesTest {
  private static final List<String> NAMES = List.of("srv", "app", "db");

  /** Another process has created the first names, and died before they were durable. */
  @ParameterizedTest
  @EnumSource(FileSystemModel.class)
  void areThereAfterAPowerLossWhoeverMadeThem(FileSystemModel model) throws IOException {
    for (int made = 0; made <= NAMES.size(); made++) {
      SimulatedDisk disk = new SimulatedDisk(model);
      Directory each = disk;
      for (String name : NAMES.subList(0, made)) {
        each = each.directory(name);
      }
      Directory innermost = disk.makeDirectories(NAMES);
      innermost.create("file", WriteIntent.OTHER).close();
      innermost.sync();
      for (long seed = 0; seed < 20; seed++) {
        Directory found = disk.powerLoss(seed);
        for (String name : NAMES) {
          assertThat(found.directories()).as("%d made, seed %d", made, seed).containsExactly(name);
          found = found.directory(name);
        }
        assertThat(found.files()).as("%d made, seed %d", made, seed).containsExactly("file");
      }
    }
  }
}
