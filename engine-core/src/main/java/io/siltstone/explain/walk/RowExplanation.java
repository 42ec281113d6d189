package io.siltstone.explain.walk;

import io.siltstone.cursor.ColumnMaps;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.Liveness;
import io.siltstone.cursor.RowVersion;
import io.siltstone.cursor.TableEncoding;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.cursor.VersionGroup;
import io.siltstone.cursor.VersionSelector;
import io.siltstone.explain.Item;
import io.siltstone.explain.Shadow;
import io.siltstone.explain.Verdict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Explains what a merge makes of the versions of one row, or of the static row: for each deletion,
 * liveness and cell, what shadows it in each scope. {@link VersionSelector} selects the winners, as
 * it does for the merge.
 */
final class RowExplanation {
  private final TableEncoding table;
  private final ColumnMaps maps;
  private final List<Scope> scopes;
  private final Reporter reporter;
  private final long nowSeconds;
  private final VersionGroup all = new VersionGroup();
  private final VersionGroup atColumn = new VersionGroup();
  private final VersionGroup atPath = new VersionGroup();

  private boolean isStatic;
  private String place = "";

  RowExplanation(TableEncoding table, List<Scope> scopes, Reporter reporter, long nowSeconds) {
    this.table = table;
    this.maps = new ColumnMaps(table);
    this.scopes = scopes;
    this.reporter = reporter;
    this.nowSeconds = nowSeconds;
  }

  void explain(List<SourceCursor> versions) throws IOException {
    Unfiltered first = versions.get(0).row();
    isStatic = first.isStatic();
    place = Texts.clustering(first.clustering(), first.encoding());
    for (SourceCursor version : versions) {
      version.beginRow(maps);
    }
    reporter.beginRow();
    for (Scope scope : scopes) {
      selectHead(scope, versions);
    }
    for (SourceCursor version : versions) {
      if (version.row().hasDeletion()) {
        reportDeletion(version);
      }
    }
    for (SourceCursor version : versions) {
      if (version.row().hasLiveness()) {
        reportLiveness(version);
      }
    }
    explainColumns(versions);
    reporter.endRow(place, isStatic);
  }

  // Deletion and liveness.

  private static @Nullable SourceCursor cursorOf(
      @Nullable RowVersion version, List<SourceCursor> cursors) {
    for (SourceCursor cursor : cursors) {
      if (cursor.version() == version) {
        return cursor;
      }
    }
    return null;
  }

  private static void selectHead(Scope scope, List<SourceCursor> versions) {
    Shadow covering = scope.coversRows();
    VersionSelector selector = scope.selector;
    selector.selectHead(
        scope.versionsOf(versions),
        Scope.timestamp(covering),
        covering == null ? DeletionTime.NO_DELETION_TIME : covering.localDeletionTime());
    scope.rowDeletion = cursorOf(selector.rowDeletion(), versions);
    scope.liveness = cursorOf(selector.liveness(), versions);
    scope.active =
        selector.isRowDeletionActive() && scope.rowDeletion != null
            ? shadowOfDeletion(scope.rowDeletion)
            : covering;
    scope.covering = scope.active;
  }

  private static Shadow shadowOfDeletion(SourceCursor cursor) {
    return new Shadow(
        Item.ROW_DELETION,
        cursor.source,
        cursor.row().deletionTimestamp(),
        cursor.row().deletionLocalTime());
  }

  private static Shadow shadowOfLiveness(SourceCursor cursor) {
    return new Shadow(
        Item.ROW_LIVENESS,
        cursor.source,
        cursor.row().livenessTimestamp(),
        cursor.row().livenessExpirationTime());
  }

  private void reportDeletion(SourceCursor version) throws IOException {
    Unfiltered row = version.row();
    reporter.report(
        version,
        thing(
            Item.ROW_DELETION,
            "",
            row.deletionTimestamp(),
            DeletionTime.NO_TTL,
            row.deletionLocalTime(),
            row.deletionLocalTime(),
            Verdict.TOMBSTONE),
        scope -> shadowOfDeletion(scope, version));
  }

  private static @Nullable Shadow shadowOfDeletion(Scope scope, SourceCursor version) {
    if (!scope.has(version)) {
      return null;
    }
    SourceCursor winner = scope.rowDeletion;
    boolean isActive = scope.selector.isRowDeletionActive();
    if (winner == version) {
      if (isActive) {
        return null;
      }
      return scope.selector.isRowDeletionShadowed() && scope.liveness != null
          ? shadowOfLiveness(scope.liveness)
          : scope.active;
    }
    return winner != null && (isActive || scope.active == null)
        ? shadowOfDeletion(winner)
        : scope.active;
  }

  private void reportLiveness(SourceCursor version) throws IOException {
    Unfiltered row = version.row();
    reporter.report(
        version,
        thing(
            Item.ROW_LIVENESS,
            "",
            row.livenessTimestamp(),
            row.livenessTtl(),
            row.livenessExpirationTime(),
            row.livenessExpirationTime(),
            Liveness.isPrimaryKeyLive(row, nowSeconds) ? Verdict.LIVE : Verdict.EXPIRED),
        scope -> {
          if (scope.selector.isRowCovered(row.livenessTimestamp())) {
            return scope.active;
          }
          SourceCursor winner = scope.liveness;
          return winner == null || winner == version ? null : shadowOfLiveness(winner);
        });
  }

  private Reporter.Thing thing(
      Item item,
      String column,
      long timestamp,
      int ttl,
      long localDeletionTime,
      long deletedAt,
      Verdict state) {
    return new Reporter.Thing(
        item,
        isStatic,
        place,
        column,
        "",
        "",
        0,
        timestamp,
        ttl,
        localDeletionTime,
        deletedAt,
        state);
  }

  // Cells.

  private void explainColumns(List<SourceCursor> versions) throws IOException {
    all.clear();
    for (SourceCursor version : versions) {
      nextColumn(version);
      all.add(version.version());
    }
    while (!reporter.isEnded()) {
      int column = atColumn.collectNextColumn(all);
      if (column < 0) {
        return;
      }
      List<SourceCursor> present = cursorsOf(atColumn, versions);
      HeaderColumn of = table.rows().header().columns(isStatic).get(column);
      if (of.type().isMultiCell()) {
        explainComplex(of, present);
      } else {
        explainSimple(of, present);
      }
      for (SourceCursor version : present) {
        nextColumn(version);
      }
    }
  }

  private static List<SourceCursor> cursorsOf(VersionGroup group, List<SourceCursor> cursors) {
    List<SourceCursor> found = new ArrayList<>();
    for (int i = 0; i < group.size(); i++) {
      SourceCursor cursor = cursorOf(group.get(i), cursors);
      if (cursor != null) {
        found.add(cursor);
      }
    }
    return found;
  }

  /** Moves to the next column that the table has; those that it does not have are reported. */
  private void nextColumn(SourceCursor version) throws IOException {
    while (version.nextColumn() && version.version().isColumnLeftOut()) {
      Unfiltered row = version.row();
      if (version.version().hasComplexDeletion()) {
        reportComplexDeletion(version, row.column().name(), Verdict.DROPPED, scope -> null);
      }
      while (version.nextCell()) {
        reporter.report(version, cell(row, row.column().name(), Verdict.DROPPED), scope -> null);
      }
    }
  }

  private void explainSimple(HeaderColumn of, List<SourceCursor> present) throws IOException {
    for (Scope scope : scopes) {
      scope.selector.beginSimpleColumn();
      scope.covering = scope.active;
    }
    List<SourceCursor> cells = new ArrayList<>();
    for (SourceCursor version : present) {
      if (version.nextCell()) {
        cells.add(version);
      }
    }
    explainCells(of, cells);
  }

  private void explainComplex(HeaderColumn of, List<SourceCursor> present) throws IOException {
    for (Scope scope : scopes) {
      VersionSelector selector = scope.selector;
      selector.selectComplexDeletion(scope.versionsOf(present));
      scope.complexDeletion =
          selector.isComplexDeletionActive() ? cursorOf(selector.complexDeletion(), present) : null;
      scope.covering =
          scope.complexDeletion == null ? scope.active : shadowOfComplex(scope.complexDeletion);
    }
    for (SourceCursor version : present) {
      if (version.version().hasComplexDeletion()) {
        boolean isDropped = version.version().isDropped(version.row().complexDeletionTimestamp());
        reportComplexDeletion(
            version,
            of.name(),
            isDropped ? Verdict.DROPPED : Verdict.TOMBSTONE,
            scope -> scope.complexDeletion == version ? null : scope.covering);
      }
    }
    for (SourceCursor version : present) {
      version.nextCell();
    }
    explainPaths(of, present);
  }

  private static Shadow shadowOfComplex(SourceCursor cursor) {
    return new Shadow(
        Item.COLLECTION_DELETION,
        cursor.source,
        cursor.row().complexDeletionTimestamp(),
        cursor.row().complexDeletionLocalTime());
  }

  private void reportComplexDeletion(
      SourceCursor version, String column, Verdict state, Reporter.Shadows shadows)
      throws IOException {
    Unfiltered row = version.row();
    reporter.report(
        version,
        thing(
            Item.COLLECTION_DELETION,
            column,
            row.complexDeletionTimestamp(),
            DeletionTime.NO_TTL,
            row.complexDeletionLocalTime(),
            row.complexDeletionLocalTime(),
            state),
        shadows);
  }

  private void explainPaths(HeaderColumn of, List<SourceCursor> present) throws IOException {
    while (!reporter.isEnded() && atPath.collectNextPath(atColumn, of.type().pathType())) {
      List<SourceCursor> cells = cursorsOf(atPath, present);
      explainCells(of, cells);
      for (SourceCursor version : cells) {
        version.nextCell();
      }
    }
  }

  /** Explains the cells of one column, and of one path, that cursors stand at. */
  private void explainCells(HeaderColumn of, List<SourceCursor> cells) throws IOException {
    for (Scope scope : scopes) {
      VersionGroup those = scope.versionsOf(cells);
      scope.cell =
          cursorOf(
              of.type().isCounter()
                  ? scope.selector.selectCounterTombstone(those)
                  : scope.selector.selectCell(those),
              cells);
    }
    for (SourceCursor version : cells) {
      Unfiltered row = version.row();
      reporter.report(
          version,
          cell(row, of.name(), state(version)),
          scope -> {
            if (scope.selector.isCellCovered(row.cellTimestamp())) {
              return scope.covering;
            }
            SourceCursor winner = scope.cell;
            return winner == null || winner == version
                ? null
                : new Shadow(
                    Item.CELL,
                    winner.source,
                    winner.row().cellTimestamp(),
                    winner.row().cellLocalDeletionTime());
          });
    }
  }

  private Verdict state(SourceCursor version) {
    Unfiltered row = version.row();
    if (version.version().isDropped(row.cellTimestamp())) {
      return Verdict.DROPPED;
    }
    if (Liveness.isCellLive(row, nowSeconds)) {
      return Verdict.LIVE;
    }
    return row.isCellTombstone() ? Verdict.TOMBSTONE : Verdict.EXPIRED;
  }

  private Reporter.Thing cell(Unfiltered row, String column, Verdict state) {
    return new Reporter.Thing(
        Item.CELL,
        isStatic,
        place,
        column,
        Texts.path(row),
        Texts.value(row),
        row.valueLength(),
        row.cellTimestamp(),
        row.cellTtl(),
        row.cellLocalDeletionTime(),
        Liveness.isCellLive(row, nowSeconds)
            ? DeletionTime.NO_DELETION_TIME
            : Liveness.cellDeletedAt(row),
        state);
  }
}
