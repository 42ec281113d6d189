package io.siltstone.bench.report;

import java.util.List;

/**
 * Colours that can be told from each other by most people, on white and on black, with a contrast
 * of 3:1 and more.
 */
final class Palette {
  static final List<String> LIGHT =
      List.of(
          "#1f6fd1", "#cf5c10", "#15845a", "#a8348f", "#8a6d00", "#5b53d6", "#c0392b", "#5f6b76");
  static final List<String> DARK =
      List.of(
          "#6ea8f5", "#f0935a", "#4cc38a", "#e07fce", "#d6b93b", "#a7a1ff", "#f07a6c", "#a9b4be");

  static final String INK = "#1d2329";
  static final String SOFT_INK = "#57606a";
  static final String GRID = "#dfe3e8";
  static final String GROUND = "#ffffff";

  static final String DARK_INK = "#e6e9ec";
  static final String DARK_SOFT_INK = "#a0a9b3";
  static final String DARK_GRID = "#343b43";
  static final String DARK_GROUND = "#16191d";

  private Palette() {}

  /** The colour of a series; they begin anew after eight. */
  static int index(int series) {
    return series % LIGHT.size();
  }
}
