package io.siltstone.bench.experiment;

import io.siltstone.bench.child.Values;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The results of variants that were measured in turn, round after round, so that what else the
 * machine does meets all alike. Confined to one thread.
 *
 * @param <V> what the variants are
 */
public final class Samples<V> {
  private final Map<V, List<Values>> results = new LinkedHashMap<>();

  /** Adds the result of a round. */
  public void add(V variant, Values result) {
    results.computeIfAbsent(variant, any -> new ArrayList<>()).add(result);
  }

  /** In the order in which they first came. */
  public List<V> variants() {
    return List.copyOf(results.keySet());
  }

  /**
   * Of a variant, one a round.
   *
   * @throws IllegalArgumentException if there are none
   */
  public List<Values> of(V variant) {
    List<Values> found = results.get(variant);
    if (found == null) {
      throw new IllegalArgumentException("no results of " + variant);
    }
    return List.copyOf(found);
  }

  /** A number of a variant over the rounds. */
  public Spread spread(V variant, String name) {
    return Spread.of(of(variant).stream().map(values -> values.number(name)).toList());
  }

  /** Its median. */
  public double median(V variant, String name) {
    return spread(variant, name).median();
  }

  /**
   * A number of a variant in relation to that of another, round by round, as both were measured one
   * after the other.
   */
  public Spread ratio(V variant, V to, String name) {
    List<Double> ratios = new ArrayList<>();
    List<Values> of = of(variant);
    List<Values> base = of(to);
    for (int i = 0; i < Math.min(of.size(), base.size()); i++) {
      ratios.add(of.get(i).number(name) / base.get(i).number(name));
    }
    return Spread.of(ratios);
  }
}
