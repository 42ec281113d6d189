package io.siltstone.bench.experiment;

import io.siltstone.bench.child.NamedValues;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The results of variants that were measured in turn, round after round, so that other activity of
 * the machine affects all of them alike. Confined to one thread.
 *
 * @param <V> the type of variants
 */
public final class Samples<V> {
  private final Map<V, List<NamedValues>> results = new LinkedHashMap<>();

  /** Adds the result of a round. */
  public void add(V variant, NamedValues result) {
    results.computeIfAbsent(variant, any -> new ArrayList<>()).add(result);
  }

  /** Returns the variants in the order in which they were first added. */
  public List<V> variants() {
    return List.copyOf(results.keySet());
  }

  /**
   * Returns the results of a variant, one per round.
   *
   * @throws IllegalArgumentException if there are none
   */
  public List<NamedValues> of(V variant) {
    List<NamedValues> found = results.get(variant);
    if (found == null) {
      throw new IllegalArgumentException("no results for " + variant);
    }
    return List.copyOf(found);
  }

  /** Returns the spread of a number of a variant over the rounds. */
  public Spread spread(V variant, String name) {
    return Spread.of(of(variant).stream().map(values -> values.number(name)).toList());
  }

  /** Returns the median of a number of a variant over the rounds. */
  public double median(V variant, String name) {
    return spread(variant, name).median();
  }

  /**
   * Returns the ratio of a number of two variants, round by round, because both were measured one
   * after the other.
   */
  public Spread ratio(V variant, V to, String name) {
    List<Double> ratios = new ArrayList<>();
    List<NamedValues> of = of(variant);
    List<NamedValues> base = of(to);
    for (int i = 0; i < Math.min(of.size(), base.size()); i++) {
      ratios.add(of.get(i).number(name) / base.get(i).number(name));
    }
    return Spread.of(ratios);
  }
}
