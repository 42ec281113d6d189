package io.siltstone.kafka.streams.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests for how long a database is open that has no users. */
final class HostRegistryTest {
  private static final String APPLICATION = "app";
  private static final long LONG = 3_600;

  @TempDir Path directory;

  private StoreTable open(HostRegistry registry, String task, boolean isStartup)
      throws IOException {
    Path application = directory.resolve(APPLICATION);
    return registry.openTable(
        directory,
        APPLICATION,
        64L << 20,
        new StoreName("a", task, "key-value", application.resolve(task)),
        isStartup);
  }

  @Test
  void theDatabaseStaysOpenWhileTheStoresOfTasksAreOpenedOneAfterTheOther() throws IOException {
    HostRegistry registry = new HostRegistry(LONG);
    open(registry, "0_0", true).close();
    StoreDatabase opened = registry.find(directory, APPLICATION);
    assertThat(opened).isNotNull();
    open(registry, "0_1", true).close();
    StoreTable table = open(registry, "0_0", false);
    assertThat(registry.find(directory, APPLICATION)).isSameAs(opened);
    assertThat(table.database()).isSameAs(opened.database());
    table.close();
    assertThat(registry.find(directory, APPLICATION)).isNull();
    assertThat(registry.isEmpty()).isTrue();
  }

  @Test
  void theDatabaseOfAnApplicationThatGetsNoTasksIsClosedAfterAWhile() throws IOException {
    HostRegistry registry = new HostRegistry(1);
    open(registry, "0_0", true).close();
    while (!registry.isEmpty()) {
      Thread.onSpinWait();
    }
    assertThat(directory.resolve(APPLICATION).resolve("siltstone")).doesNotExist();
    open(registry, "0_0", false).close();
    assertThat(registry.isEmpty()).isTrue();
  }

  @Test
  void whatWasDeletedWhileTheDatabaseHadNoUsersStaysDeleted() throws IOException {
    HostRegistry registry = new HostRegistry(1);
    open(registry, "0_0", true).close();
    Utils.delete(directory.resolve(APPLICATION).toFile());
    while (!registry.isEmpty()) {
      Thread.onSpinWait();
    }
    assertThat(directory).isEmptyDirectory();
    open(registry, "0_0", false).close();
    assertThat(registry.isEmpty()).isTrue();
  }
}
