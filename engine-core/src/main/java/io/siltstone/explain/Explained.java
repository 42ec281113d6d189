package io.siltstone.explain;

/**
 * The totals of an explanation.
 *
 * @param sources the number of memtables and SSTables that have the key
 * @param sstables the number of SSTables among them
 * @param findings the number of findings
 * @param rows the number of rows, without the static row
 * @param liveRows the number of rows that a read shows
 * @param isWhole false if the listener ended the search early
 */
public record Explained(
    int sources, int sstables, Findings findings, long rows, long liveRows, boolean isWhole) {

  /**
   * The number of findings, by verdict.
   *
   * @param count the number of all findings
   * @param live the number of live findings
   * @param expired the number of expired findings
   * @param tombstones the number of findings that are tombstones
   * @param shadowed the number of shadowed findings
   * @param dropped the number of findings of dropped columns
   * @param belowFloor the number of findings below the retention floor
   * @param purgeable the number of findings, of any verdict, that a compaction of all SSTables
   *     would purge
   */
  public record Findings(
      long count,
      long live,
      long expired,
      long tombstones,
      long shadowed,
      long dropped,
      long belowFloor,
      long purgeable) {}
}
