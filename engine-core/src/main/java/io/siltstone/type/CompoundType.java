package io.siltstone.type;

import java.util.List;

/** A type that is either one value, frozen, or has a cell for each of its parts. */
abstract class CompoundType extends CqlType {
  private final List<CqlType> parts;
  private final boolean multiCell;
  private final int depth;
  private final String className;
  private final String classNameWithinFrozen;

  /**
   * @param parts its {@link #elementTypes()}
   * @param multiCellName the class name that it has if it is multi-cell
   * @param nameWithinFrozen see {@link CqlType#classNameWithinFrozen()}
   */
  CompoundType(
      List<CqlType> parts, boolean multiCell, String multiCellName, String nameWithinFrozen) {
    this.parts = parts;
    this.multiCell = multiCell;
    this.depth = depthOver(parts);
    this.classNameWithinFrozen = nameWithinFrozen;
    this.className = multiCell ? multiCellName : ClassNames.frozen(nameWithinFrozen);
  }

  @Override
  public final List<CqlType> elementTypes() {
    return parts;
  }

  /** Returns its CQL name, by the one that it has if it is multi-cell. */
  final String cqlNameOf(String name) {
    return multiCell ? name : "frozen<" + name + '>';
  }

  @Override
  public final String className() {
    return className;
  }

  @Override
  final String classNameWithinFrozen() {
    return classNameWithinFrozen;
  }

  @Override
  final int depth() {
    return depth;
  }

  @Override
  public final boolean isMultiCell() {
    return multiCell;
  }
}
