/**
 * Tries on disk: sorted keys with a payload each, in nodes that are packed into pages of 4 KiB, so
 * that a look-up reads few pages. Cassandra's format {@code bti} has two files of them.
 *
 * <pre>
 *   keys     ask, ass, bank                   file, bottom up
 *                                             ┌ page ─────────────────────────┐
 *   root ─a─► ·  ─s─► · ─k─► payload          │ k s as ...                    │
 *                       ─s─► payload          ├ page ─────────────────────────┤
 *        ─b─► · ─a─► · ─n─► · ─k─► payload    │ ...                    root   │
 *                                             └───────────────────────────────┘
 * </pre>
 *
 * <p>A {@code TrieWriter} takes keys in order and writes nodes as soon as a page is full; a {@code
 * TrieCursor} searches and walks over the bytes in place. {@code NodeType} has the forms of nodes.
 * The users of a trie define what its payloads contain. Source: Cassandra {@code io.tries}.
 */
@NullMarked
package io.siltstone.sstable.trie;

import org.jspecify.annotations.NullMarked;
