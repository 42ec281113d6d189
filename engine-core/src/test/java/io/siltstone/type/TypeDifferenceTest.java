package io.siltstone.type;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TypeDifferenceTest {
  private static UserType user(String name, UserType.Field... fields) {
    return CqlTypes.userType("ks", name, List.of(fields));
  }

  private static final UserType.Field A = new UserType.Field("a", CqlTypes.INT);
  private static final UserType.Field B = new UserType.Field("B", CqlTypes.TEXT);

  @Test
  void typesWithTheSameFieldsDoNotDiffer() {
    CqlType list = CqlTypes.list(user("p", A, B).frozen());
    assertThat(CqlTypes.describeDifference(list, list)).isEmpty();
    assertThat(CqlTypes.describeDifference(CqlTypes.INT, CqlTypes.TEXT)).isEmpty();
  }

  @Test
  void eachFieldThatDiffersIsNamed() {
    CqlType found = CqlTypes.list(user("p", A, B).frozen());
    assertThat(CqlTypes.describeDifference(found, CqlTypes.list(user("p", A).frozen())))
        .isEqualTo("; user type p has field 2 '\"B\" text', allowed missing");
    assertThat(CqlTypes.describeDifference(CqlTypes.list(user("p", A).frozen()), found))
        .isEqualTo("; user type p has field 2 missing, allowed '\"B\" text'");
    assertThat(
            CqlTypes.describeDifference(
                found,
                CqlTypes.list(user("p", new UserType.Field("a", CqlTypes.BIGINT), B).frozen())))
        .isEqualTo("; user type p has field 1 'a int', allowed 'a bigint'");
  }

  @Test
  void userTypesWithinOthersAreCompared() {
    CqlType found =
        CqlTypes.map(
            CqlTypes.INT, user("q", new UserType.Field("p", user("p", A, B).frozen())).frozen());
    CqlType expected =
        CqlTypes.map(
            CqlTypes.INT, user("q", new UserType.Field("p", user("p", A).frozen())).frozen());
    assertThat(CqlTypes.describeDifference(found, expected))
        .contains("user type p has field 2 '\"B\" text', allowed missing");
  }
}
