package io.siltstone.ring;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Token ranges of a cluster, with the nodes that own them. Immutable.
 *
 * @param ranges in the order of the text that they come from
 */
public record TokenRing(List<Range> ranges) {
  // TokenRange(start_token:-10, end_token:20, endpoints:[127.0.0.1, 127.0.0.2], rpc_endpoints:...
  // An IPv6 address with a port has brackets of its own: endpoints:[[::1]:7000].
  private static final Pattern DESCRIBED =
      Pattern.compile(
          "TokenRange\\(start_token:\\s*(-?\\d+),\\s*end_token:\\s*(-?\\d+),"
              + "\\s*endpoints:\\s*\\[((?:[^]\\[]|\\[[^]\\[]*])*)]");
  // 127.0.0.1  rack1  Up  Normal  70.01 KiB  50.00%  -9187201950435737472
  private static final Pattern NODE =
      Pattern.compile("(\\S+)\\s+.*\\s(Normal|Leaving|Moving|Joining|Stopped)\\s.*\\s(-?\\d+)");
  private static final String DATACENTER = "Datacenter:";
  // Owns no range yet.
  private static final String JOINING = "Joining";

  /** Copies the list. */
  public TokenRing {
    ranges = List.copyOf(ranges);
  }

  /**
   * A token range, which wraps around the end of the ring if it does not end after its start.
   *
   * @param start exclusive
   * @param end inclusive
   * @param nodes addresses of the nodes that own it; empty if they are not known
   */
  public record Range(long start, long end, Set<String> nodes) {
    /** Copies the set. */
    public Range {
      nodes = Set.copyOf(nodes);
    }

    /** Returns whether a token is in it. */
    public boolean contains(long token) {
      return start < end ? token > start && token <= end : token > start || token <= end;
    }
  }

  /**
   * Parses ranges in the form {@code START:END,START:END}, of unknown nodes.
   *
   * @param option for messages
   * @throws IllegalArgumentException that names the range that is wrong
   */
  public static TokenRing ofRanges(String option, String text) {
    List<Range> ranges = new ArrayList<>();
    for (String range : text.split(",", -1)) {
      String[] bounds = range.strip().split(":", -1);
      if (bounds.length != 2) {
        throw notARange(option, range, null);
      }
      try {
        ranges.add(
            new Range(
                Long.parseLong(bounds[0].strip()), Long.parseLong(bounds[1].strip()), Set.of()));
      } catch (NumberFormatException e) {
        throw notARange(option, range, e);
      }
    }
    return new TokenRing(ranges);
  }

  private static IllegalArgumentException notARange(
      String option, String range, @Nullable Throwable cause) {
    String message =
        option
            + " '"
            + range.strip()
            + "' is not a range, allowed is START:END, two whole numbers from "
            + Long.MIN_VALUE
            + " to "
            + Long.MAX_VALUE
            + ", the first of them not in the range";
    return cause == null
        ? new IllegalArgumentException(message)
        : new IllegalArgumentException(message, cause);
  }

  /**
   * Parses what {@code nodetool describering KEYSPACE} or {@code nodetool ring} prints. The latter
   * does not know replicas: each range has one node in each datacenter.
   *
   * @param source names the text in messages
   * @throws IllegalArgumentException if the text is neither, or of a cluster with another
   *     partitioner than Murmur3
   */
  public static TokenRing parse(String source, String text) {
    List<Range> ranges;
    try {
      ranges = described(text);
      if (ranges.isEmpty()) {
        ranges = listed(text);
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          source
              + " has a token that is too large ("
              + e.getMessage()
              + "), allowed are those of Murmur3Partitioner, from "
              + Long.MIN_VALUE
              + " to "
              + Long.MAX_VALUE,
          e);
    }
    if (ranges.isEmpty()) {
      throw new IllegalArgumentException(
          source
              + " has no token range, allowed is what 'nodetool describering KEYSPACE' or 'nodetool"
              + " ring' prints");
    }
    return new TokenRing(ranges);
  }

  private static List<Range> described(String text) {
    List<Range> ranges = new ArrayList<>();
    Matcher matcher = DESCRIBED.matcher(text);
    while (matcher.find()) {
      Set<String> nodes = new LinkedHashSet<>();
      Stream.of(matcher.group(3).split(","))
          .map(String::strip)
          .filter(node -> !node.isEmpty())
          .forEach(nodes::add);
      ranges.add(
          new Range(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)), nodes));
    }
    return ranges;
  }

  private static List<Range> listed(String text) {
    Map<String, Map<Long, String>> datacenters = new LinkedHashMap<>();
    Map<Long, String> present = datacenters.computeIfAbsent("", name -> new LinkedHashMap<>());
    for (String line : text.lines().map(String::strip).toList()) {
      if (line.startsWith(DATACENTER)) {
        present = datacenters.computeIfAbsent(line, name -> new LinkedHashMap<>());
        continue;
      }
      Matcher matcher = NODE.matcher(line);
      if (matcher.matches() && !matcher.group(2).equals(JOINING)) {
        present.put(Long.parseLong(matcher.group(3)), matcher.group(1));
      }
    }
    List<Range> ranges = new ArrayList<>();
    datacenters.values().forEach(nodes -> addRanges(nodes, ranges));
    return ranges;
  }

  /** Adds the ranges of one datacenter: each ends with the token of its node. */
  private static void addRanges(Map<Long, String> nodes, List<Range> ranges) {
    List<Map.Entry<Long, String>> sorted =
        nodes.entrySet().stream()
            .sorted(Map.Entry.comparingByKey(Comparator.naturalOrder()))
            .toList();
    for (int i = 0; i < sorted.size(); i++) {
      // The first range begins after the last token, and wraps around.
      long start = sorted.get((i + sorted.size() - 1) % sorted.size()).getKey();
      ranges.add(new Range(start, sorted.get(i).getKey(), Set.of(sorted.get(i).getValue())));
    }
  }

  /**
   * Returns the tokens after which another range begins: an SSTable with partitions on both sides
   * of one does not lie within one range.
   */
  public NavigableSet<Long> bounds() {
    NavigableSet<Long> bounds = new TreeSet<>();
    for (Range range : ranges) {
      bounds.add(range.start());
      bounds.add(range.end());
    }
    return bounds;
  }

  /**
   * Returns the ranges without overlaps, as those of several datacenters have, sorted by their
   * ends: each has the nodes of all ranges that contain it.
   */
  public List<Range> disjoint() {
    NavigableSet<Long> bounds = bounds();
    NavigableMap<Long, Set<String>> nodes = new TreeMap<>();
    for (Range range : ranges) {
      long start = range.start();
      if (start < range.end()) {
        addNodes(range, bounds.subSet(start, false, range.end(), true), nodes);
      } else {
        // It wraps around the end of the ring.
        addNodes(range, bounds.tailSet(start, false), nodes);
        addNodes(range, bounds.headSet(range.end(), true), nodes);
      }
    }
    List<Range> disjoint = new ArrayList<>();
    nodes.forEach(
        (end, of) -> {
          Long before = bounds.lower(end);
          disjoint.add(new Range(before == null ? bounds.last() : before, end, of));
        });
    return disjoint;
  }

  private static void addNodes(Range range, Set<Long> ends, NavigableMap<Long, Set<String>> nodes) {
    for (Long end : ends) {
      nodes.computeIfAbsent(end, each -> new TreeSet<>()).addAll(range.nodes());
    }
  }

  /**
   * Returns the name of a node's directory, as a name that all file systems take: addresses of
   * version 6 have colons, and may come with a slash before them.
   */
  public static String directoryName(String node) {
    return node.replaceFirst("^/", "").replaceAll("[^A-Za-z0-9._-]", "_");
  }

  /** Returns the addresses of all nodes, sorted. */
  public Collection<String> nodes() {
    Set<String> nodes = new TreeSet<>();
    ranges.forEach(range -> nodes.addAll(range.nodes()));
    return nodes;
  }

  /** Returns the addresses of the nodes that own a token, sorted. */
  public Set<String> ownersOf(long token) {
    Set<String> owners = new TreeSet<>();
    ranges.stream()
        .filter(range -> range.contains(token))
        .forEach(range -> owners.addAll(range.nodes()));
    return owners;
  }
}
