package io.siltstone.sstable.trie;

import io.siltstone.type.comparable.ComparableBytes;
import java.io.IOException;

/**
 * Writes a trie of sorted keys to a file, from the bottom up, in pages.
 *
 * <p>A node is complete when a key comes that is not below it. As long as it fits into a page
 * together with all that is below it, nothing is written. Otherwise its children are written, each
 * with its branch: the greatest that fits into what is left of the page first, until a new page has
 * to begin. An example, with pages that a little more than four nodes fill:
 *
 * <pre>
 *   ask, ass       the branch a-s-(k, s) of four nodes is complete when bank comes, and is kept
 *   bank, banks    at the end, b and the branch below it are too long for a page, so its child is
 *                  written; later the root is too long, and its children are written
 *
 *   page 1         a-n-k-s      the child of b
 *   page 2         a-s-(k, s)   the greater child of the root
 *   page 3         b, root
 * </pre>
 *
 * Pages of leaves are therefore nearly full; the page of the root usually is not.
 *
 * <p>A complete branch is encoded at once and kept as bytes, unless one of its nodes has a child
 * that is written already: the pointer to that one depends on where the branch will be. Nearly all
 * branches are kept as bytes, so that a page is mostly copied together.
 *
 * <p>The memory does not grow with the number of keys: at most the children of the nodes on the way
 * to the last key are held. The choices are those of Cassandra, so that the same keys give the same
 * bytes. Confined to one thread; does not own the output. Source: Cassandra {@code
 * IncrementalTrieWriterPageAware}.
 */
public final class TrieWriter {
  private final PagedOutput out;
  private final NodePool nodes;
  private final NodeWriter nodeWriter;
  private final NodeEncoder encoder = new NodeEncoder();
  private final Frames frames = new Frames();
  private final BranchStack branches = new BranchStack();
  private final OpenNodes open;
  private final ComparableBytes last = new ComparableBytes();
  private long count;

  /**
   * @param maxPayload length of the longest payload in bytes, at most 64
   */
  public TrieWriter(PagedOutput out, int maxPayload) {
    this.out = out;
    this.nodes = new NodePool(maxPayload);
    this.nodeWriter = new NodeWriter(nodes, out);
    this.open = new OpenNodes(maxPayload);
    reset();
  }

  /** Begins a new trie, and drops what was not written of the one before. */
  public void reset() {
    nodes.clear();
    frames.clear();
    last.clear();
    branches.clear();
    count = 0;
    open.clear();
    open.push(branches);
  }

  /** Returns the number of keys that were added. */
  public long count() {
    return count;
  }

  /**
   * Adds a key that is greater than the one before. Only the first key may be empty.
   *
   * @param payloadBits of the first byte of the node, 1 to 15
   * @param payload follows the node, of which {@code payloadLength} bytes count
   * @throws IllegalArgumentException if the key is not greater
   */
  public void add(ComparableBytes key, int payloadBits, byte[] payload, int payloadLength)
      throws IOException {
    int common = ComparableBytes.commonLength(last, key);
    boolean greater =
        common < key.length() && (common == last.length() || last.get(common) < key.get(common));
    if (count > 0 && !greater) {
      throw new IllegalArgumentException("key " + key + " comes after " + last);
    }
    while (open.depth() > common + 1) {
      completeLast();
    }
    int length = key.length();
    open.ensure(length + 1);
    for (int i = common; i < length; i++) {
      open.push(branches);
    }
    open.setPayload(payloadBits, payload, payloadLength);
    last.copyFrom(key, length);
    count++;
  }

  /**
   * Writes all that is left.
   *
   * @return the position of the root
   */
  public long complete() throws IOException {
    while (open.depth() > 0) {
      completeLast();
    }
    int root = branches.nodeOf(0, nodes);
    branches.drop(0);
    int size = measure(root, out.position());
    int left = out.leftInPage();
    if (size > left && size <= PagedOutput.PAGE_BYTES) {
      out.padPage();
      left = PagedOutput.PAGE_BYTES;
      size = measure(root, out.position());
    }
    if (size > left) {
      writeChildren(root);
      if (nodes.nodeSize(root) > out.leftInPage()) {
        out.padPage();
        measure(root, out.position());
      }
    }
    write(root);
    return nodes.position(root);
  }

  /** Makes the last node of those that are open, with its branches, a branch. */
  private void completeLast() throws IOException {
    int node = open.pop();
    int transition = node == 0 ? 0 : last.get(node - 1);
    if (!open.hasFar(node) && completeNear(node, transition)) {
      return;
    }
    int complete = completeFar(node, transition);
    branches.drop(open.firstBranch(node));
    branches.pushNode(transition, complete);
    open.setFar();
  }

  /** Puts a node after its branches, unless they are too long for a page together. */
  private boolean completeNear(int node, int transition) {
    int first = open.firstBranch(node);
    int children = branches.count() - first;
    int start = open.start(node);
    int position = branches.length();
    int payloadBits = open.payloadBits(node);
    branches.ensure(NodeWriter.MAX_LENGTH);
    byte[] bytes = branches.bytes();
    int end = position + 1;
    if (children == 0) {
      bytes[position] = (byte) (NodeType.LEAF.code() << 4 | payloadBits);
    } else {
      int span = branches.spanFrom(first);
      long distance = position - branches.tops()[first];
      NodeType type = NodeType.of(children, span, distance, payloadBits != 0);
      int size = type.length(children, span) + open.payloadLength(node);
      if (size + position - start >= PagedOutput.PAGE_BYTES) {
        return false;
      }
      encoder.children(branches.transitions(), branches.tops(), first, branches.count());
      end = position + encoder.encode(bytes, position, type, payloadBits, position);
    }
    open.copyPayload(node, bytes, end);
    branches.drop(first);
    branches.push(transition, start, position, end + open.payloadLength(node));
    return true;
  }

  /**
   * Makes a node of the pool from a node of which a branch is one, or whose branches are too long
   * for a page together, which are then written.
   */
  private int completeFar(int openNode, int transition) throws IOException {
    int node = nodes.allocate(transition);
    open.copyPayload(openNode, nodes, node);
    int branch = 0;
    boolean farBranch = false;
    for (int i = open.firstBranch(openNode); i < branches.count(); i++) {
      int child = branches.nodeOf(i, nodes);
      nodes.addChild(node, child);
      branch += nodes.totalSize(child);
      farBranch |= nodes.hasFarChild(child) || nodes.hasFarBranch(child);
    }
    nodes.setBranchSize(node, branch);
    nodes.setFar(node, false, farBranch);
    int size = nodeWriter.sizeAt(node, out.position());
    nodes.setNodeSize(node, size);
    if (size + branch >= PagedOutput.PAGE_BYTES) {
      writeChildren(node);
      branches.truncate(open.start(openNode));
    }
    return node;
  }

  /** Writes the children of a node that have not been written, and what is below them. */
  private void writeChildren(int node) throws IOException {
    PendingBranches pending = new PendingBranches(nodes.childCount(node));
    for (int child = nodes.firstChild(node); child != NodePool.NONE; child = nodes.next(child)) {
      if (nodes.position(child) == NodePool.UNWRITTEN) {
        pending.add(child, nodes.totalSize(child));
      }
    }
    pending.sort();
    int room = out.leftInPage();
    while (!pending.isEmpty()) {
      int at = pending.greatest(room);
      if (at < 0) {
        out.padPage();
        room = PagedOutput.PAGE_BYTES;
        at = pending.greatest(Integer.MAX_VALUE);
      }
      int child = pending.node(at);
      if (nodes.hasFarChild(child) || nodes.hasFarBranch(child)) {
        // How long its pointers are is known only now.
        if (measure(child, out.position()) > room) {
          if (room == PagedOutput.PAGE_BYTES) {
            // It does not fit into any page.
            writeChildren(child);
            room = out.leftInPage();
          }
          // The size of the branch has changed, so another branch may be the greatest now.
          pending.setSize(at, nodes.totalSize(child));
          continue;
        }
      }
      write(child);
      room = out.leftInPage();
      pending.remove(at);
    }
    nodes.setBranchSize(node, 0);
    nodes.setFar(node, true, false);
    nodes.setNodeSize(node, nodeWriter.sizeAt(node, out.position()));
  }

  /**
   * Computes the sizes of a branch as if it were written at a position, from which the pointers out
   * of it have their lengths.
   *
   * @return its size
   */
  private int measure(int top, long position) {
    frames.push(top, firstToMeasure(top), position);
    while (true) {
      int node = frames.node();
      int child = frames.child();
      if (child != NodePool.NONE) {
        frames.setChild(nodes.next(child));
        frames.push(child, firstToMeasure(child), frames.start() + frames.sum());
        continue;
      }
      if (nodes.hasFarBranch(node)) {
        nodes.setBranchSize(node, frames.sum());
      }
      if (nodes.hasFarBranch(node) || nodes.hasFarChild(node)) {
        nodes.setNodeSize(node, nodeWriter.sizeAt(node, frames.start() + nodes.branchSize(node)));
      }
      frames.pop();
      int size = nodes.totalSize(node);
      if (frames.isEmpty()) {
        return size;
      }
      frames.add(size);
    }
  }

  private int firstToMeasure(int node) {
    return nodes.hasFarBranch(node) ? nodes.firstChild(node) : NodePool.NONE;
  }

  /** Writes a branch, of which only the top node is left. */
  private void write(int top) throws IOException {
    if (nodes.branchAt(top) != NodePool.NONE) {
      writeBranch(top);
    } else {
      writeNodes(top);
    }
    nodes.setBranchSize(top, 0);
    nodes.setNodeSize(top, 0);
    nodes.setFar(top, false, false);
  }

  /** Writes a branch from the buffer. */
  private void writeBranch(int top) throws IOException {
    long start = out.position();
    out.write(branches.bytes(), nodes.branchAt(top), nodes.totalSize(top));
    nodes.setBranchAt(top, NodePool.NONE);
    nodes.setPosition(top, start + nodes.branchSize(top));
  }

  private void writeNodes(int top) throws IOException {
    frames.push(top, firstToWrite(nodes.firstChild(top)), out.position());
    while (!frames.isEmpty()) {
      int node = frames.node();
      int child = frames.child();
      if (child != NodePool.NONE) {
        frames.setChild(firstToWrite(nodes.next(child)));
        if (nodes.branchAt(child) != NodePool.NONE) {
          writeBranch(child);
        } else {
          frames.push(child, firstToWrite(nodes.firstChild(child)), out.position());
        }
        continue;
      }
      writeNode(node, frames.start() + nodes.branchSize(node));
      nodes.freeChildren(node);
      frames.pop();
    }
  }

  private void writeNode(int node, long expected) throws IOException {
    long position = out.position();
    int length = nodeWriter.write(node);
    if (position != expected || length != nodes.nodeSize(node)) {
      throw new IllegalStateException(
          "a trie node of "
              + length
              + " bytes at "
              + position
              + ", expected "
              + nodes.nodeSize(node)
              + " at "
              + expected);
    }
    nodes.setPosition(node, position);
  }

  private int firstToWrite(int from) {
    int child = from;
    while (child != NodePool.NONE && nodes.position(child) != NodePool.UNWRITTEN) {
      child = nodes.next(child);
    }
    return child;
  }

  /** Returns the number of nodes and of bytes for which memory is held, for tests. */
  int capacity() {
    return nodes.capacity() + branches.capacity();
  }
}
