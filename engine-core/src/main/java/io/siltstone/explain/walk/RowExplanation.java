package io.siltstone.explain.walk;

import io.siltstone.cursor.ColumnMaps;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.Liveness;
import io.siltstone.cursor.TableEncoding;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.cursor.VersionSelector;
import io.siltstone.explain.Finding;
import io.siltstone.explain.Finding.Shadow;
import io.siltstone.explain.Item;
import io.siltstone.explain.Verdict;
import io.siltstone.type.CqlType;
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
  private final List<SourceCursor> atColumn = new ArrayList<>();
  // The cursors at one column and path that have a cell there.
  private final List<SourceCursor> cells = new ArrayList<>();

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
      scope.beginRow(versions);
      selectHead(scope);
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

  private static void selectHead(Scope scope) {
    Shadow covering = scope.coversRows();
    VersionSelector selector = scope.selector;
    selector.selectHead(
        Scope.timestamp(covering),
        covering == null ? DeletionTime.NO_DELETION_TIME : covering.localDeletionTime());
    scope.rowDeletion = scope.cursor(selector.rowDeletion());
    scope.liveness = scope.cursor(selector.liveness());
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
            new Finding.Times(
                row.deletionTimestamp(), DeletionTime.NO_TTL, row.deletionLocalTime()),
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
            new Finding.Times(
                row.livenessTimestamp(), row.livenessTtl(), row.livenessExpirationTime()),
            Liveness.isPrimaryKeyLive(row, nowSeconds) ? Verdict.LIVE : Verdict.EXPIRED),
        scope -> {
          if (scope.selector.isRowCovered(row.livenessTimestamp())) {
            return scope.active;
          }
          SourceCursor winner = scope.liveness;
          return winner == null || winner == version ? null : shadowOfLiveness(winner);
        });
  }

  private Reporter.Thing thing(Item item, String column, Finding.Times times, Verdict state) {
    return new Reporter.Thing(
        item,
        new Finding.Location(isStatic, place, column, ""),
        Finding.Value.NONE,
        times,
        times.localDeletionTime(),
        state);
  }

  // Cells.

  private void explainColumns(List<SourceCursor> versions) throws IOException {
    for (SourceCursor version : versions) {
      nextColumn(version);
    }
    while (!reporter.isEnded()) {
      // The first scope has all cursors.
      int column = scopes.get(0).selector.leastColumn();
      if (column < 0) {
        return;
      }
      atColumn.clear();
      for (SourceCursor version : versions) {
        if (version.version().isAt(column)) {
          atColumn.add(version);
        }
      }
      HeaderColumn of = table.rows().header().columns(isStatic).get(column);
      if (of.type().isMultiCell()) {
        explainComplex(of, column);
      } else {
        explainSimple(of);
      }
      for (SourceCursor version : atColumn) {
        nextColumn(version);
      }
    }
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

  private void explainSimple(HeaderColumn of) throws IOException {
    for (Scope scope : scopes) {
      scope.selector.beginSimpleColumn();
      scope.covering = scope.active;
    }
    cells.clear();
    for (SourceCursor version : atColumn) {
      if (version.nextCell()) {
        cells.add(version);
      }
    }
    explainCells(of);
  }

  private void explainComplex(HeaderColumn of, int column) throws IOException {
    for (Scope scope : scopes) {
      VersionSelector selector = scope.selector;
      selector.beginComplexColumn(column);
      scope.complexDeletion =
          selector.isComplexDeletionActive() ? scope.cursor(selector.complexDeletion()) : null;
      scope.covering =
          scope.complexDeletion == null ? scope.active : shadowOfComplex(scope.complexDeletion);
    }
    for (SourceCursor version : atColumn) {
      if (version.version().hasComplexDeletion()) {
        boolean isDropped = version.version().isDropped(version.row().complexDeletionTimestamp());
        reportComplexDeletion(
            version,
            of.name(),
            isDropped ? Verdict.DROPPED : Verdict.TOMBSTONE,
            scope -> scope.complexDeletion == version ? null : scope.covering);
      }
    }
    for (SourceCursor version : atColumn) {
      version.nextCell();
    }
    while (!reporter.isEnded() && collectPath(of.type().pathType())) {
      explainCells(of);
      for (SourceCursor version : cells) {
        version.nextCell();
      }
    }
  }

  /** Collects the cursors that stand at the cell of the least path; false if there is no cell. */
  private boolean collectPath(CqlType pathType) throws IOException {
    cells.clear();
    for (SourceCursor version : atColumn) {
      if (version.version().hasCell()) {
        int order =
            cells.isEmpty() ? 0 : version.version().comparePath(cells.get(0).version(), pathType);
        if (order < 0) {
          cells.clear();
        }
        if (order <= 0) {
          cells.add(version);
        }
      }
    }
    return !cells.isEmpty();
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
            new Finding.Times(
                row.complexDeletionTimestamp(),
                DeletionTime.NO_TTL,
                row.complexDeletionLocalTime()),
            state),
        shadows);
  }

  /** Explains the cells of one column, and of one path, at which {@link #cells} stand. */
  private void explainCells(HeaderColumn of) throws IOException {
    for (Scope scope : scopes) {
      scope.selectCell(cells, of.type().isCounter());
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
        new Finding.Location(isStatic, place, column, Texts.path(row)),
        new Finding.Value(Texts.value(row), row.valueLength()),
        new Finding.Times(row.cellTimestamp(), row.cellTtl(), row.cellLocalDeletionTime()),
        Liveness.isCellLive(row, nowSeconds)
            ? DeletionTime.NO_DELETION_TIME
            : Liveness.cellDeletedAt(row),
        state);
  }
}
