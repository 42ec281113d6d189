package io.siltstone.explain;

/**
 * What was found in all.
 *
 * @param sources that have the key
 * @param sstables of the sources, those that are SSTables
 * @param findings all of them
 * @param live of them
 * @param expired of them
 * @param tombstones of them
 * @param shadowed of them
 * @param dropped of them
 * @param purgeable that a compaction of all SSTables would drop
 * @param rows without the static row
 * @param liveRows that a read shows
 * @param isWhole false if the listener has ended the search
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
