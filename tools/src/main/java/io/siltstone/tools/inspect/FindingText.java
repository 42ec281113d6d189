package io.siltstone.tools.inspect;

import io.siltstone.explain.Explained;
import io.siltstone.explain.Finding;
import io.siltstone.explain.FindingListener;
import io.siltstone.explain.Item;
import io.siltstone.explain.Source;
import io.siltstone.text.CountText;
import io.siltstone.tools.terminal.Terminal;
import java.util.ArrayList;
import java.util.List;

/** Prints the findings of a key as they are found. */
final class FindingText implements FindingListener {
  private final Terminal terminal;
  private final long limit;
  private final boolean isNarrowed;
  private final List<String> damaged = new ArrayList<>();
  private final List<String> unseen = new ArrayList<>();
  private long printed;
  private boolean isStaticLive;
  private String heading = "";

  /**
   * @param limit greatest number of findings that are printed
   * @param isNarrowed whether only some rows were asked for; range deletions are then shown within
   *     these
   */
  FindingText(Terminal terminal, long limit, boolean isNarrowed) {
    this.terminal = terminal;
    this.limit = limit;
    this.isNarrowed = isNarrowed;
  }

  @Override
  public boolean found(Finding finding) {
    if (printed == limit) {
      return false;
    }
    printed++;
    head(finding);
    String fate = FindingWords.outcome(finding);
    terminal.format(
        "  %s  %s  %s%s\n    %s%s",
        finding.source(),
        TimeFormat.ofMicros(finding.times().timestamp()),
        FindingWords.thing(finding),
        isNarrowed && finding.item() == Item.RANGE_DELETION ? ", within what was asked for" : "",
        FindingWords.verdict(finding),
        fate.isEmpty() ? "" : "; " + fate);
    return true;
  }

  private void head(Finding of) {
    String next =
        switch (of.item()) {
          case PARTITION_DELETION -> "partition";
          case RANGE_DELETION -> "range";
          default ->
              of.location().isStatic()
                  ? "static row"
                  : of.location().place().isEmpty() ? "row" : "row " + of.location().place();
        };
    if (!next.equals(heading)) {
      heading = next;
      terminal.line(next);
    }
  }

  @Override
  public void row(String place, boolean isStatic, boolean isLive) {
    heading = "";
    if (isStatic) {
      isStaticLive = isLive;
    } else {
      terminal.line(isLive ? "  a read shows this row" : "  no read shows this row");
    }
  }

  @Override
  public void damaged(Source source, Throwable cause) {
    if (source.kind() == Source.Kind.QUARANTINED) {
      unseen.add(source.name());
    } else {
      damaged.add(source + " was skipped: " + cause.getMessage());
    }
  }

  List<String> damaged() {
    return damaged;
  }

  void end(Explained all) {
    if (all.findings().count() == 0) {
      terminal.line("nothing: " + whyNothing(all));
    } else {
      summarize(all);
    }
    if (!unseen.isEmpty()) {
      terminal.line(
          "not searched because it could not be opened, may have the key: "
              + String.join(", ", unseen));
    }
  }

  private void summarize(Explained all) {
    terminal.format(
        "%s: %s in %s: %d live, %d expired, %s, %d shadowed%s%s; a"
            + " compaction of all SSTables would purge %d; reads return %d of %s%s",
        all.isWhole() ? "in total" : "so far (--limit " + limit + ")",
        CountText.of(printed, "finding"),
        holders(all),
        all.findings().live(),
        all.findings().expired(),
        CountText.of(all.findings().tombstones(), "tombstone"),
        all.findings().shadowed(),
        all.findings().dropped() == 0
            ? ""
            : ", " + all.findings().dropped() + " of dropped columns",
        all.findings().belowFloor() == 0
            ? ""
            : ", " + all.findings().belowFloor() + " below the retention floor",
        all.findings().purgeable(),
        all.liveRows(),
        CountText.of(all.rows(), "row"),
        // As in CQL; not if certain rows were asked for, to which a static row does not belong.
        all.liveRows() == 0 && isStaticLive && !isNarrowed ? ", and the static row by itself" : "");
  }

  private String whyNothing(Explained all) {
    if (all.sources() > 0) {
      return "the key is in " + holders(all) + ", without what was asked for";
    }
    return damaged.isEmpty() && unseen.isEmpty()
        ? "no memtable and no SSTable has the key"
        : "no memtable has the key, and no SSTable that could be read";
  }

  private static String holders(Explained all) {
    return all.sources() == 1
        ? "one memtable or SSTable"
        : all.sources() + " memtables and SSTables";
  }
}
