package io.siltstone.catalog;

import io.siltstone.event.EngineListener.RecoveryAssumed;
import io.siltstone.files.UnchangedDirectory;
import io.siltstone.io.Directory;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.threads.ParallelSteps;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads which tables are in the data directory of a database. The names of a table's directory and
 * of its parent, and the {@code schema.cql} in it, both identify the table and must agree: the
 * commit log names tables by their ids, so changes of an id that no table has would be lost.
 *
 * <p>A strict reading refuses a directory whose definition is missing, damaged or of another table.
 * A lenient one assumes what is certain enough, and reports what it has assumed. The name of a
 * directory is given once and never written again, so it counts more than the content of a file.
 *
 * <p>Changes nothing. Used once, by one thread, which may have others read definitions.
 */
final class CatalogReader {
  private static final int ID_DIGITS = 32;

  private final Directory data;
  private final @Nullable DefinitionSource definitions;
  private final UnchangedTables unchanged;
  private final ParallelSteps parallel;
  private final List<TableHome> tables = new ArrayList<>();
  private final List<TableHome> assumed = new ArrayList<>();
  private final Map<TableHome, String> reasons = new HashMap<>();
  private final Set<UUID> dropped = new HashSet<>();
  private final List<RecoveryAssumed> assumptions = new ArrayList<>();
  private final Map<UUID, TableHome> ids = new HashMap<>();
  private final Map<String, TableHome> names = new HashMap<>();

  /**
   * @param definitions makes the reading lenient, and finds definitions that cannot be read; null
   *     for a strict reading
   * @param unchanged tables whose directories are known
   * @param parallel reads the definitions of several tables
   */
  CatalogReader(
      Directory data,
      @Nullable DefinitionSource definitions,
      UnchangedTables unchanged,
      ParallelSteps parallel) {
    this.data = data;
    this.definitions = definitions;
    this.unchanged = unchanged;
    this.parallel = parallel;
  }

  CatalogContent read() throws IOException {
    List<Candidate> candidates = new ArrayList<>();
    for (String keyspace : data.directories()) {
      Directory parent = data.existingDirectory(keyspace);
      for (String name : parent.directories()) {
        candidates.add(new Candidate(keyspace, name, parent.existingDirectory(name)));
      }
    }
    parallel.forEach(candidates, candidate -> candidate.read(unchanged));
    for (Candidate candidate : candidates) {
      readTable(candidate);
    }
    // These come last, since nothing that was assumed may replace what is certain.
    for (TableHome home : assumed) {
      TableHome other = other(home);
      String reason = String.valueOf(reasons.get(home));
      if (other != null) {
        leaveOut(
            home.directory(),
            reason + "; " + other.directory().path() + " is a table of that id or name already");
      } else {
        add(home);
        assumptions.add(
            new RecoveryAssumed(home.directory().path() + "/" + Catalog.SCHEMA_FILE, reason));
      }
    }
    return new CatalogContent(
        tables,
        dropped,
        assumptions,
        candidates.size() - tables.stream().filter(home -> home.unchanged() != null).count());
  }

  /** A directory that may be that of a table, and what was read there. */
  private static final class Candidate {
    private final String keyspace;
    private final String name;
    private final Directory directory;
    private boolean isDropped;
    private @Nullable TableHome home;
    private @Nullable IOException failure;

    Candidate(String keyspace, String name, Directory directory) {
      this.keyspace = keyspace;
      this.name = name;
      this.directory = directory;
    }

    void read(UnchangedTables unchanged) throws IOException {
      Optional<UUID> id = idOf(name);
      UnchangedDirectory found = id.isEmpty() ? null : unchanged.find(id.get(), directory);
      if (found != null && found.listing().has(Catalog.SCHEMA_FILE)) {
        readDefinition();
        if (home != null) {
          home = home.withUnchanged(found);
        }
        return;
      }
      isDropped = directory.exists(Catalog.DROPPED_FILE);
      if (!isDropped && Catalog.isTable(directory)) {
        readDefinition();
      }
    }

    /** Returns whether neither a definition nor the mark of a drop was found. */
    boolean isNothing() {
      return !isDropped && home == null && failure == null;
    }

    private void readDefinition() {
      try {
        home = Catalog.read(directory);
      } catch (IOException e) {
        failure = e;
      }
    }
  }

  private void readTable(Candidate read) throws IOException {
    String keyspace = read.keyspace;
    String name = read.name;
    Directory directory = read.directory;
    if (read.isNothing() && isLost(name, directory)) {
      // Beside a writer, its definition or its drop may have come after the first look, but before
      // its files.
      read.read(unchanged);
    }
    if (read.isDropped) {
      idOf(name).ifPresent(dropped::add);
    } else if (read.home != null) {
      checkNames(keyspace, name, read.home);
    } else if (read.failure != null) {
      if (definitions == null) {
        throw read.failure;
      }
      assumeLogged(keyspace, name, directory, String.valueOf(read.failure.getMessage()));
    } else if (isLost(name, directory)) {
      String reason =
          directory.path()
              + " has SSTables, and no "
              + Catalog.SCHEMA_FILE
              + " that describes them";
      if (definitions == null) {
        throw new IOException(reason);
      }
      assumeLogged(keyspace, name, directory, reason);
    }
  }

  /**
   * Returns whether the directory was that of a table: an interrupted creation leaves no such
   * files.
   */
  private boolean isLost(String name, Directory directory) throws IOException {
    if (directory.files().stream().anyMatch(file -> Descriptor.isComponent(file, Component.DATA))) {
      return true;
    }
    Optional<UUID> id = idOf(name);
    return definitions != null && id.isPresent() && definitions.logged(id.get()).isPresent();
  }

  private void checkNames(String keyspace, String name, TableHome home) throws IOException {
    TableSchema schema = home.schema();
    if (keyspace.equals(schema.keyspace()) && name.equals(Catalog.directoryName(schema))) {
      addOrRefuse(home);
      return;
    }
    String path = home.directory().path();
    String disagreement =
        path
            + "/"
            + Catalog.SCHEMA_FILE
            + " defines the table "
            + home.fullName()
            + " with the id "
            + home.id()
            + ", whose directory would be "
            + schema.keyspace()
            + "/"
            + Catalog.directoryName(schema);
    if (definitions == null) {
      throw new IOException(
          disagreement
              + "; correct the keyspace, the name and the ID in that file, or the name of the"
              + " directory: the commit log knows the table by its id");
    }
    Optional<UUID> id = idOf(name);
    if (id.isEmpty()) {
      leaveOut(home.directory(), disagreement + "; its name tells no id");
      return;
    }
    String tableName = name.substring(0, name.length() - ID_DIGITS - 1);
    assume(
        new TableHome(home.directory(), schema.toBuilder(keyspace, tableName).id(id.get()).build()),
        disagreement
            + "; it is opened as "
            + keyspace
            + "."
            + tableName
            + " with the id "
            + id.get()
            + ", as the directory's name tells");
  }

  private void addOrRefuse(TableHome home) throws IOException {
    TableHome other = other(home);
    if (other != null) {
      throw new IOException(
          other.directory().path()
              + " and "
              + home.directory().path()
              + " have tables of "
              + (other.id().equals(home.id())
                  ? "the same id " + home.id()
                  : "the same name " + home.fullName()));
    }
    add(home);
  }

  private @Nullable TableHome other(TableHome home) {
    return Stream.of(ids.get(home.id()), names.get(home.fullName()))
        .filter(other -> other != null)
        .findFirst()
        .orElse(null);
  }

  private void add(TableHome home) {
    tables.add(home);
    ids.put(home.id(), home);
    names.put(home.fullName(), home);
  }

  private void assume(TableHome home, String reason) {
    assumed.add(home);
    reasons.put(home, reason);
  }

  /** Uses the definition in the commit log, if it has one of that keyspace and name. */
  private void assumeLogged(String keyspace, String name, Directory directory, String damage)
      throws IOException {
    DefinitionSource source = Objects.requireNonNull(definitions);
    Optional<UUID> id = idOf(name);
    Optional<TableSchema> logged = id.isPresent() ? source.logged(id.get()) : Optional.empty();
    if (logged.isPresent()
        && logged.get().keyspace().equals(keyspace)
        && Catalog.directoryName(logged.get()).equals(name)) {
      assume(
          new TableHome(directory, logged.get()),
          damage
              + "; the last definition in the commit log is used, so that what was altered since"
              + " the last write is not known");
    } else {
      leaveOut(
          directory,
          damage
              + "; the commit log has no definition of the table, so write "
              + Catalog.SCHEMA_FILE
              + source.suggestion(directory));
    }
  }

  private void leaveOut(Directory directory, String reason) {
    assumptions.add(
        new RecoveryAssumed(directory.path(), reason + "; the table is left out, and not changed"));
  }

  /** Returns the id in the name of a directory if that is one of a table of this name. */
  static Optional<UUID> idOf(String tableName, Directory directory) {
    String path = directory.path();
    String name = path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
    return name.startsWith(tableName + "-") && name.length() == tableName.length() + 1 + ID_DIGITS
        ? idOf(name)
        : Optional.empty();
  }

  /** Returns the id in the name of a table's directory. */
  private static Optional<UUID> idOf(String name) {
    int at = name.length() - ID_DIGITS;
    if (at < 2 || name.charAt(at - 1) != '-') {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new UUID(
              Long.parseUnsignedLong(name.substring(at, at + ID_DIGITS / 2), 16),
              Long.parseUnsignedLong(name.substring(at + ID_DIGITS / 2), 16)));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
