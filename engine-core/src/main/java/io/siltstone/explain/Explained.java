package io.siltstone.explain;

/**
 * The totals of an explanation.
 *
 * @param sources number of memtables and SSTables that have the key
 * @param sstables number of SSTables among them
 * @param findings number of all findings
 * @param live number of live findings
 * @param expired number of expired findings
 * @param tombstones number of findings that are tombstones
 * @param shadowed number of shadowed findings
 * @param dropped number of findings of dropped columns
 * @param purgeable number of findings that a compaction of all SSTables would purge
 * @param rows number of rows, without the static row
 * @param liveRows number of rows that a read shows
 * @param isWhole false if the listener ended the search early
 */
public record Explained(
    int sources,
    int sstables,
    long findings,
    long live,
    long expired,
    long tombstones,
    long shadowed,
    long dropped,
    long purgeable,
    long rows,
    long liveRows,
    boolean isWhole) {}
