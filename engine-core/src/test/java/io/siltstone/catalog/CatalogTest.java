package io.siltstone.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.files.TextFile;
import io.siltstone.io.Directory;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import io.siltstone.testkit.FileSystemModel;
import io.siltstone.testkit.PowerCuts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CatalogTest {
  private static final Catalog.Preparation NOTHING = directory -> {};
  private static final Set<String> PREPARED = Set.of("before");
  private static final long SEED = Long.getLong("siltstone.seed", 17);
  private static final UUID ID = new UUID(1, 2);

  private final Directory data = new MemoryDirectory();

  private static TableSchema schema(String name, UUID id) {
    return SchemaParser.parse(
            "CREATE TABLE ks." + name + " (k int PRIMARY KEY, v text) WITH id = " + id)
        .onlyTable();
  }

  private static TableSchema altered() {
    return SchemaParser.alter(schema("t", ID), "ALTER TABLE t ADD w int", 5);
  }

  private static void write(Directory directory, String name, String text) throws IOException {
    try (WritableFile file = directory.create(name, WriteIntent.OTHER)) {
      file.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
      file.sync();
    }
  }

  private static List<TableSchema> schemas(Directory data) throws IOException {
    return Catalog.open(data, PREPARED).content().tables().stream().map(TableHome::schema).toList();
  }

  @Test
  void findsWhatWasCreatedUnderCassandrasNames() throws IOException {
    Catalog catalog = Catalog.open(data, Set.of()).catalog();
    TableHome home = catalog.create(schema("t", ID), NOTHING);
    assertThat(home.directory().path()).endsWith("ks/t-00000000000000010000000000000002");
    assertThat(schemas(data)).containsExactly(schema("t", ID));
    assertThatThrownBy(() -> catalog.create(schema("t", ID), NOTHING))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("ks/t-0000");
  }

  @Test
  void showsTheAlteredTableAndRefusesAnotherId() throws IOException {
    Catalog catalog = Catalog.open(data, Set.of()).catalog();
    TableHome home = catalog.create(schema("t", ID), NOTHING);
    catalog.alter(home, altered());
    assertThat(schemas(data)).containsExactly(altered());
    assertThatThrownBy(() -> catalog.alter(home, schema("t", new UUID(3, 4))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ks.t");
  }

  @Test
  void aDroppedTableIsGoneAndItsSnapshotsStay() throws IOException {
    Catalog catalog = Catalog.open(data, Set.of()).catalog();
    TableHome home = catalog.create(schema("t", ID), NOTHING);
    write(home.directory(), "oa-1-big-Data.db", "data");
    write(home.directory().directory("snapshots"), "kept", "data");
    catalog.drop(home);
    assertThat(catalog.tables()).isEmpty();
    assertThat(home.directory().exists("oa-1-big-Data.db")).isTrue();
    catalog.removeDropped(home);
    assertThat(schemas(data)).isEmpty();
    assertThat(home.directory().files()).containsExactly("dropped");
    assertThat(home.directory().directory("snapshots").files()).containsExactly("kept");

    TableHome other = catalog.create(schema("u", new UUID(5, 6)), NOTHING);
    catalog.drop(other);
    catalog.removeDropped(other);
    assertThat(data.directory("ks").directories()).hasSize(1);
  }

  @Test
  void readsASnapshotsSchemaWithoutAnIdTheSameEachTime() throws IOException {
    write(data, Catalog.SCHEMA_FILE, "CREATE TABLE ks.t (k int PRIMARY KEY);");
    assertThat(Catalog.isTable(data)).isTrue();
    assertThat(Catalog.read(data)).isEqualTo(Catalog.read(data));
    assertThat(Catalog.read(data).fullName()).isEqualTo("ks.t");
  }

  @Test
  void aDatabaseIsNoTableWhateverElseLiesThere() throws IOException {
    write(data, Catalog.SCHEMA_FILE, "CREATE TABLE ks.t (k int PRIMARY KEY);");
    new Identity(ID, Partitioner.MURMUR3).write(data);
    assertThat(Catalog.isTable(data)).isFalse();
  }

  @Test
  void namesTheFileAndThePlaceOfADamagedSchema() throws IOException {
    TableHome home = Catalog.open(data, Set.of()).catalog().create(schema("t", ID), NOTHING);
    home.directory().delete(Catalog.SCHEMA_FILE);
    write(home.directory(), Catalog.SCHEMA_FILE, "CREATE TABLE ks.t (k int PRIMARY");
    assertThatThrownBy(() -> Catalog.open(data, Set.of()).content().tables())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("ks/t-")
        .hasMessageContaining(Catalog.SCHEMA_FILE)
        .hasMessageContaining("1:");
  }

  @Test
  void twoDirectoriesWithTablesOfOneIdAreRefused() throws IOException {
    Catalog catalog = Catalog.open(data, Set.of()).catalog();
    catalog.create(schema("t", ID), NOTHING);
    catalog.create(schema("u", ID), NOTHING);
    assertThatThrownBy(catalog::tables)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("ks/t-0000")
        .hasMessageContaining("ks/u-0000")
        .hasMessageContaining(ID.toString());
  }

  @Test
  void twoDirectoriesWithTablesOfOneNameAreRefused() throws IOException {
    Catalog catalog = Catalog.open(data, Set.of()).catalog();
    catalog.create(schema("t", new UUID(0, 1)), NOTHING);
    catalog.create(schema("t", new UUID(0, 2)), NOTHING);
    assertThatThrownBy(catalog::tables)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("ks/t-00000000000000000000000000000001")
        .hasMessageContaining("ks/t-00000000000000000000000000000002")
        .hasMessageContaining("the same name ks.t");
  }

  @Test
  void aDirectoryWithTablesAndNoSchemaIsRefused() throws IOException {
    write(data.directory("ks").directory("t-1"), "nb-1-big-Data.db", "data");
    assertThatThrownBy(() -> Catalog.openReadOnly(data).tables())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("ks/t-1")
        .hasMessageContaining(Catalog.SCHEMA_FILE);
  }

  @ParameterizedTest
  @EnumSource(FileSystemModel.class)
  void everyStepIsWholeAfterAPowerLoss(FileSystemModel model) {
    int points = PowerCuts.on(model, SEED).lossesPerPoint(4).atEachOperation(Steps::new);
    assertThat(points).isGreaterThan(20);
  }

  /** Creates, alters and drops a table, beside another one. */
  private static final class Steps implements PowerCuts.Case {
    private int done;

    @Override
    public void run(Directory disk) throws IOException {
      Catalog catalog = Catalog.open(disk, PREPARED).catalog();
      catalog.create(schema("other", new UUID(7, 8)), NOTHING);
      done = 1;
      TableHome home =
          catalog.create(
              schema("t", ID), made -> TextFile.replace(made.directory(), "before", "x"));
      done = 2;
      home = catalog.alter(home, altered());
      done = 3;
      write(home.directory(), "oa-1-big-Data.db", "data");
      catalog.drop(home);
      done = 4;
      catalog.removeDropped(home);
      done = 5;
    }

    @Override
    public void check(Directory rebooted) throws IOException {
      List<TableSchema> found = schemas(rebooted);
      if (done >= 1) {
        assertThat(found).contains(schema("other", new UUID(7, 8)));
      }
      List<TableSchema> own = found.stream().filter(table -> table.name().equals("t")).toList();
      switch (done) {
        case 0 -> assertThat(own).isEmpty();
        case 1 -> assertThat(own).isSubsetOf(schema("t", ID));
        case 2 -> assertThat(own).hasSize(1).isSubsetOf(schema("t", ID), altered());
        case 3 -> assertThat(own).isSubsetOf(altered());
        default -> assertThat(own).isEmpty();
      }
      // Opening again, after it was cleaned up, shows the same.
      assertThat(schemas(rebooted)).isEqualTo(found);
      for (TableHome home : Catalog.open(rebooted, PREPARED).content().tables()) {
        assertThat(home.directory().files())
            .isSubsetOf(Catalog.SCHEMA_FILE, "oa-1-big-Data.db", "before")
            .contains(Catalog.SCHEMA_FILE);
        assertThat(home.directory().exists("before")).isEqualTo(home.schema().name().equals("t"));
      }
      if (own.isEmpty()) {
        // Nothing is left of a table that was not made, so that it can be made again.
        for (String keyspace : rebooted.directories()) {
          assertThat(rebooted.directory(keyspace).directories())
              .noneMatch(name -> name.startsWith("t-"));
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(FileSystemModel.class)
  void aDropThatIsCompletedWhenItIsOpenedIsWholeAfterAPowerLoss(FileSystemModel model) {
    int points = PowerCuts.on(model, SEED).lossesPerPoint(8).atEachOperation(KilledDrop::new);
    assertThat(points).isGreaterThan(10);
  }

  /** A process that was killed when it had made the mark, and synced nothing of it. */
  private static final class KilledDrop implements PowerCuts.Case {
    private static final List<String> FILES =
        List.of("oa-1-big-Data.db", "oa-1-big-Index.db", "oa-2-big-Data.db");

    private boolean isComplete;

    @Override
    public void run(Directory disk) throws IOException {
      Catalog catalog = Catalog.open(disk, Set.of()).catalog();
      TableHome home = catalog.create(schema("t", ID), NOTHING);
      for (String name : FILES) {
        write(home.directory(), name, "data");
      }
      home.directory().sync();
      isComplete = true;
      home.directory().create("dropped", WriteIntent.OTHER).close();
      assertThat(schemas(disk)).isEmpty();
    }

    @Override
    public void check(Directory rebooted) throws IOException {
      for (TableHome home : Catalog.open(rebooted, Set.of()).content().tables()) {
        if (isComplete) {
          assertThat(home.directory().files()).contains(Catalog.SCHEMA_FILE).containsAll(FILES);
        }
      }
    }
  }

  @Test
  void identityIsKept() throws IOException {
    assertThat(Identity.read(data)).isEmpty();
    Identity identity = new Identity(ID, Partitioner.BYTE_ORDERED);
    identity.write(data);
    assertThat(Identity.read(data)).contains(identity);
  }

  @Test
  void aDamagedIdentityNamesTheFile() throws IOException {
    write(data, "siltstone.properties", "host_id=" + ID + "\n");
    assertThatThrownBy(() -> Identity.read(data))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("siltstone.properties")
        .hasMessageContaining("partitioner");
  }
}
