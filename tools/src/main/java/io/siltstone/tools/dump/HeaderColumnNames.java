package io.siltstone.tools.dump;

import io.siltstone.cursor.HeaderColumn;
import io.siltstone.type.CqlName;
import java.util.List;

/** The names of a header's columns as CQL writes them: quoted where necessary. */
final class HeaderColumnNames {
  private final List<String> statics;
  private final List<String> regulars;

  /** Takes the columns of a header. */
  HeaderColumnNames(List<HeaderColumn> statics, List<HeaderColumn> regulars) {
    this.statics = statics.stream().map(column -> CqlName.quoted(column.name())).toList();
    this.regulars = regulars.stream().map(column -> CqlName.quoted(column.name())).toList();
  }

  /** Returns the name of a column of static or regular rows. */
  String of(boolean isStatic, int index) {
    return (isStatic ? statics : regulars).get(index);
  }
}
