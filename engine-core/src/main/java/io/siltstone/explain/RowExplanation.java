package io.siltstone.explain;

import io.siltstone.cursor.ColumnMap;
import io.siltstone.cursor.ColumnMaps;
import io.siltstone.cursor.ConflictRules;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.Liveness;
import io.siltstone.cursor.TableEncoding;
import io.siltstone.cursor.Unfiltered;
import io.siltstone.type.CqlType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Explains one row, or the static row, of which several cursors have versions: as {@link
 * io.siltstone.cursor.Reconciler} would make one of them, in each scope.
 */
final class RowExplanation {
  private final TableEncoding table;
  private final ColumnMaps maps;
  private final List<Scope> scopes;
  private final Reporter reporter;
  private final long nowSeconds;
  private final List<SourceCursor> atColumn = new ArrayList<>();
  private final List<SourceCursor> atPath = new ArrayList<>();

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
    reporter.beginRow();
    for (Scope scope : scopes) {
      findHead(scope, versions);
    }
    for (SourceCursor version : versions) {
      if (version.row().hasDeletion()) {
        reportDeletion(version, versions);
      }
    }
    for (SourceCursor version : versions) {
      if (version.row().hasLiveness()) {
        reportLiveness(version, versions);
      }
    }
    explainColumns(versions);
    reporter.endRow(place, isStatic);
  }

  // Deletion and liveness.

  private static @Nullable SourceCursor cursorOf(int number, List<SourceCursor> versions) {
    for (SourceCursor version : versions) {
      if (version.number == number) {
        return version;
      }
    }
    return null;
  }

  private static void findHead(Scope scope, List<SourceCursor> versions) {
    @Nullable SourceCursor deleted = null;
    @Nullable SourceCursor live = null;
    for (SourceCursor version : versions) {
      if (scope.has(version)) {
        if (version.row().hasDeletion()
            && (deleted == null
                || ConflictRules.rowDeletionSupersedes(version.row(), deleted.row()))) {
          deleted = version;
        }
        if (version.row().hasLiveness()
            && (live == null || livenessSupersedes(version.row(), live.row()))) {
          live = version;
        }
      }
    }
    scope.rowDeletion = deleted == null ? Scope.NONE : deleted.number;
    scope.liveness = live == null ? Scope.NONE : live.number;
    scope.rowDeletionYieldsTo = null;
    scope.active = scope.coversRows();
    if (deleted != null) {
      Unfiltered row = deleted.row();
      if (row.isDeletionShadowable()
          && live != null
          && live.row().livenessTimestamp() > row.deletionTimestamp()) {
        scope.rowDeletionYieldsTo = shadowOfLiveness(live);
      } else if (Explanation.supersedes(
          row.deletionTimestamp(), row.deletionLocalTime(), scope.active)) {
        scope.active = shadowOfDeletion(deleted);
      }
    }
  }

  private static boolean livenessSupersedes(Unfiltered row, Unfiltered other) {
    return ConflictRules.livenessSupersedes(
        row.livenessTimestamp(),
        row.livenessTtl(),
        row.livenessExpirationTime(),
        other.livenessTimestamp(),
        other.livenessTtl(),
        other.livenessExpirationTime());
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

  private void reportDeletion(SourceCursor version, List<SourceCursor> versions)
      throws IOException {
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
        scope -> shadowOfDeletion(scope, version, versions));
  }

  private static @Nullable Shadow shadowOfDeletion(
      Scope scope, SourceCursor version, List<SourceCursor> versions) {
    if (!scope.has(version)) {
      return null;
    }
    Shadow active = scope.active;
    boolean isInForce = active != null && active.item() == Item.ROW_DELETION;
    if (scope.rowDeletion == version.number) {
      if (isInForce) {
        return null;
      }
      return scope.rowDeletionYieldsTo != null ? scope.rowDeletionYieldsTo : active;
    }
    SourceCursor winner = cursorOf(scope.rowDeletion, versions);
    return winner != null && (isInForce || active == null) ? shadowOfDeletion(winner) : active;
  }

  private void reportLiveness(SourceCursor version, List<SourceCursor> versions)
      throws IOException {
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
          if (row.livenessTimestamp() <= Scope.timestamp(scope.active)) {
            return scope.active;
          }
          SourceCursor winner = cursorOf(scope.liveness, versions);
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
    for (SourceCursor version : versions) {
      version.beginColumns(maps.of(version.row().encoding()));
      nextColumn(version);
    }
    while (!reporter.isEnded()) {
      int column = SourceCursor.NO_COLUMN;
      for (SourceCursor version : versions) {
        column = Math.min(column, version.column);
      }
      if (column == SourceCursor.NO_COLUMN) {
        return;
      }
      atColumn.clear();
      for (SourceCursor version : versions) {
        if (version.column == column) {
          atColumn.add(version);
        }
      }
      HeaderColumn of = table.rows().header().columns(isStatic).get(column);
      if (of.type().isMultiCell()) {
        explainComplex(of);
      } else {
        for (Scope scope : scopes) {
          scope.covering = scope.active;
        }
        for (SourceCursor version : atColumn) {
          version.nextCell();
        }
        atColumn.removeIf(version -> !version.hasCell);
        explainCells(of, atColumn);
      }
      for (SourceCursor version : versions) {
        if (version.column == column) {
          nextColumn(version);
        }
      }
    }
  }

  /** Moves to the next column that the table has; those that it has not are reported. */
  private void nextColumn(SourceCursor version) throws IOException {
    while (version.nextColumn() && version.column == ColumnMap.LEFT_OUT) {
      Unfiltered row = version.row();
      if (version.hasComplexDeletion()) {
        reportComplexDeletion(version, row.column().name(), Verdict.DROPPED, scope -> null);
      }
      while (version.nextCell()) {
        reporter.report(version, cell(row, row.column().name(), Verdict.DROPPED), scope -> null);
      }
    }
  }

  private void explainComplex(HeaderColumn of) throws IOException {
    for (Scope scope : scopes) {
      @Nullable SourceCursor greatest = null;
      for (SourceCursor version : atColumn) {
        if (scope.has(version) && isComplexDeletion(version)) {
          Shadow best = greatest == null ? null : shadowOfComplex(greatest);
          Unfiltered row = version.row();
          if (Explanation.supersedes(
              row.complexDeletionTimestamp(), row.complexDeletionLocalTime(), best)) {
            greatest = version;
          }
        }
      }
      scope.covering = scope.active;
      scope.complex = greatest == null ? Scope.NONE : greatest.number;
      if (greatest != null
          && Explanation.supersedes(
              greatest.row().complexDeletionTimestamp(),
              greatest.row().complexDeletionLocalTime(),
              scope.active)) {
        scope.covering = shadowOfComplex(greatest);
      }
    }
    for (SourceCursor version : atColumn) {
      if (version.hasComplexDeletion()) {
        boolean isDropped = !isComplexDeletion(version);
        reportComplexDeletion(
            version,
            of.name(),
            isDropped ? Verdict.DROPPED : Verdict.TOMBSTONE,
            scope -> scope.covering != null && isComplexOf(scope, version) ? null : scope.covering);
      }
    }
    for (SourceCursor version : atColumn) {
      version.nextCell();
    }
    explainPaths(of);
  }

  private static boolean isComplexOf(Scope scope, SourceCursor version) {
    Shadow covering = scope.covering;
    return covering != null
        && covering.item() == Item.COLLECTION_DELETION
        && scope.complex == version.number;
  }

  private static boolean isComplexDeletion(SourceCursor version) {
    return version.hasComplexDeletion()
        && version.row().complexDeletionTimestamp() > version.droppedAt;
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

  private void explainPaths(HeaderColumn of) throws IOException {
    CqlType pathType = of.type().pathType();
    while (!reporter.isEnded()) {
      atPath.clear();
      for (SourceCursor version : atColumn) {
        if (version.hasCell) {
          int compared =
              atPath.isEmpty() ? 0 : compare(pathType, version.row(), atPath.get(0).row());
          if (compared < 0) {
            atPath.clear();
          }
          if (compared <= 0) {
            atPath.add(version);
          }
        }
      }
      if (atPath.isEmpty()) {
        return;
      }
      explainCells(of, atPath);
      for (SourceCursor version : atPath) {
        version.nextCell();
      }
    }
  }

  private static int compare(CqlType type, Unfiltered left, Unfiltered right) {
    return type.compare(
        left.bytes(),
        left.pathOffset(),
        left.pathLength(),
        right.bytes(),
        right.pathOffset(),
        right.pathLength());
  }

  /** Cells of one column, and of one path, that cursors stand at. */
  private void explainCells(HeaderColumn of, List<SourceCursor> cells) throws IOException {
    for (Scope scope : scopes) {
      scope.cell = Scope.NONE;
      @Nullable SourceCursor best = null;
      for (SourceCursor version : cells) {
        Unfiltered row = version.row();
        boolean takesPart = !of.type().isCounter() || row.isCellTombstone();
        if (takesPart
            && scope.has(version)
            && row.cellTimestamp() > version.droppedAt
            && row.cellTimestamp() > Scope.timestamp(scope.covering)
            && (best == null || ConflictRules.compare(row, best.row()) > 0)) {
          best = version;
          scope.cell = version.number;
        }
      }
    }
    for (SourceCursor version : cells) {
      Unfiltered row = version.row();
      reporter.report(
          version,
          cell(row, of.name(), state(version)),
          scope -> {
            if (row.cellTimestamp() <= Scope.timestamp(scope.covering)) {
              return scope.covering;
            }
            SourceCursor winner = cursorOf(scope.cell, cells);
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
    if (row.cellTimestamp() <= version.droppedAt) {
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
