package io.siltstone.spark;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The jar of this module has the engine inside, nothing that could clash with an application, and
 * needs nothing that Spark does not have. The build runs it when the jar has been made.
 */
final class ShadedJarCheck {
  private static final Path JAR = Path.of(System.getProperty("siltstone.jar"));

  private static final long LARGEST = 8_000_000;

  /** The packages that the classes may use: those of the JDK and of libraries in Spark 4.2. */
  private static final List<String> LIBRARIES =
      List.of(
          "java.",
          "javax.",
          "sun.misc",
          "com.sun.",
          "jdk.jfr",
          "scala",
          "org.apache.spark.",
          "org.apache.hadoop.",
          "org.slf4j",
          "com.fasterxml.jackson.",
          "io.netty.buffer",
          "io.netty.util",
          "net.jpountz.",
          "com.github.luben.zstd",
          "org.xerial.snappy");

  private static final Pattern DEPENDENCY =
      Pattern.compile("(?s)<dependency>.*?<artifactId>(.*?)</artifactId>.*?<scope>(.*?)</scope>");

  @TempDir Path directory;

  private static String text(JarFile jar, String name) throws IOException {
    try (InputStream in = jar.getInputStream(jar.getEntry(name))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void isSmallAndHasOnlyNamesOfSiltstone() throws IOException {
    assertThat(Files.size(JAR)).isBetween(1_000_000L, LARGEST);
    try (JarFile jar = new JarFile(JAR.toFile())) {
      assertThat(
              jar.stream()
                  .map(entry -> entry.getName())
                  .filter(name -> !name.endsWith("/") && !name.startsWith("io/siltstone/")))
          .containsExactlyInAnyOrder(
              "META-INF/MANIFEST.MF",
              "META-INF/LICENSE",
              "META-INF/NOTICE",
              "META-INF/services/org.apache.spark.sql.sources.DataSourceRegister");
      assertThat(jar.getEntry("io/siltstone/Database.class")).isNotNull();
      assertThat(jar.getEntry("io/siltstone/shaded/caffeine/cache/Caffeine.class")).isNotNull();
      assertThat(text(jar, "META-INF/services/org.apache.spark.sql.sources.DataSourceRegister"))
          .isEqualToIgnoringWhitespace(SSTableSource.class.getName());
      assertThat(jar.getManifest().getMainAttributes().getValue("Automatic-Module-Name"))
          .isEqualTo("io.siltstone.spark");
    }
  }

  @Test
  void hasTheLicensesOfWhatIsInside() throws IOException {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      assertThat(text(jar, "META-INF/LICENSE")).isEqualTo(Files.readString(Path.of("../LICENSE")));
      Set<String> shaded = new TreeSet<>();
      jar.stream()
          .map(entry -> entry.getName().split("/"))
          .filter(parts -> parts.length > 4 && parts[2].equals("shaded"))
          .forEach(parts -> shaded.add(String.join(".", List.of(parts).subList(0, 4))));
      assertThat(shaded).hasSize(2);
      assertThat(text(jar, "META-INF/NOTICE")).contains(shaded);
    }
  }

  @Test
  void usesOnlyWhatIsInsideAndLibrariesOfSpark() throws IOException {
    TreeSet<String> unknown = new TreeSet<>();
    try (JarFile jar = new JarFile(JAR.toFile())) {
      JavaClasses classes = new ClassFileImporter().importJar(jar);
      for (JavaClass from : classes) {
        for (Dependency dependency : from.getDirectDependenciesFromSelf()) {
          JavaClass to = dependency.getTargetClass().getBaseComponentType();
          boolean isInside = classes.contain(to.getName());
          // An annotation of Caffeine, which is in its class files alone.
          boolean isMissedByNobody = to.getName().startsWith("com.google.errorprone.annotations");
          if (!isInside
              && !to.isPrimitive()
              && !isMissedByNobody
              && LIBRARIES.stream().noneMatch(to.getName()::startsWith)) {
            unknown.add(from.getName() + " uses " + to.getName());
          }
        }
      }
    }
    assertThat(unknown).isEmpty();
  }

  @Test
  void pomHasNoDependenciesButThoseThatSparkProvides() throws IOException {
    String pom = Files.readString(Path.of("dependency-reduced-pom.xml"));
    Set<String> dependencies = new TreeSet<>();
    for (MatchResult each : DEPENDENCY.matcher(pom).results().toList()) {
      if (!each.group(2).equals("test")) {
        dependencies.add(each.group(1) + " " + each.group(2));
      }
    }
    assertThat(dependencies).containsExactly("slf4j-api provided", "spark-sql_2.13 provided");
    assertThat(pom.split("<dependency>", -1)).hasSameSizeAs(pom.split("<scope>", -1));
  }

  /** Caffeine finds classes of its own by names that it puts together, which are renamed, too. */
  @Test
  void engineWorksFromTheJarAlone() throws Exception {
    ClassLoader others = new WithoutEngine(ShadedJarCheck.class.getClassLoader());
    URL[] urls = {JAR.toUri().toURL(), Path.of("target/test-classes/").toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(urls, others)) {
      Class<?> probe = loader.loadClass("io.siltstone.spark.ShadedJarProbe");
      assertThat(probe.getClassLoader()).isSameAs(loader);
      Callable<?> read =
          (Callable<?>)
              probe.getDeclaredConstructor(Path.class).newInstance(directory.resolve("database"));
      assertThat(read.call()).isEqualTo("value");
    }
  }

  /** The libraries of the tests without what the jar has. */
  private static final class WithoutEngine extends ClassLoader {
    private static final List<String> HIDDEN =
        List.of("io.siltstone.", "com.github.benmanes.", "org.jspecify.");

    WithoutEngine(ClassLoader parent) {
      super(parent);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (HIDDEN.stream().anyMatch(name::startsWith)) {
        throw new ClassNotFoundException(name);
      }
      return super.loadClass(name, resolve);
    }
  }
}
