/*
 * The plain loop over a row in C: the largest logit, then the sum of exp(l - largest) by the C library's exp, in float64
 * and in order. It is what an exact logprob takes where nothing is known of the exps. Usage: exp-loop FOLDER
 *
 * Says which C library it has, then reads requests `V kind calls` and answers `sum milliseconds...`, the sum being that of
 * the first vector; see children.mjs.
 */
#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

enum { VECTORS = 4 };

static void fail(const char *what) {
  fprintf(stderr, "%s\n", what);
  exit(1);
}

static const char *library(void) {
#ifdef __GLIBC__
  static char name[64];
  snprintf(name, sizeof name, "glibc %s", gnu_get_libc_version());
  return name;
#else
  return "another C library than glibc";
#endif
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e3 + time.tv_nsec * 1e-6;
}

static double exp_sum(const float *logits, int count) {
  float largest = logits[0];
  for (int i = 1; i < count; i++) {
    if (logits[i] > largest) largest = logits[i];
  }
  double max = largest;
  double s = 0;
  for (int i = 0; i < count; i++) s += exp((double)logits[i] - max);
  return s;
}

static float *read_vectors(const char *folder, int vocab_size, const char *kind) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%d.%s", folder, vocab_size, kind);
  size_t count = (size_t)VECTORS * vocab_size;
  float *vectors = malloc(count * sizeof *vectors);
  FILE *file = fopen(path, "rb");
  if (vectors == NULL || file == NULL || fread(vectors, sizeof *vectors, count, file) != count) fail(path);
  fclose(file);
  return vectors;
}

/* The sums are kept, so that the compiler leaves no loop out. */
static void answer(const float *vectors, int vocab_size, int calls) {
  volatile double kept = exp_sum(vectors, vocab_size);
  printf("%.17g", kept);
  for (int call = 0; call < calls; call++) {
    double begin = now();
    kept = exp_sum(vectors + (size_t)(call % VECTORS) * vocab_size, vocab_size);
    printf(" %.6f", now() - begin);
  }
  printf("\n");
  fflush(stdout);
}

int main(int count, char **arguments) {
  if (count != 2) fail("usage: exp-loop FOLDER");
  printf("%s\n", library());
  fflush(stdout);
  int vocab_size, calls;
  char kind[16];
  while (scanf("%d %15s %d", &vocab_size, kind, &calls) == 3) {
    float *vectors = read_vectors(arguments[1], vocab_size, kind);
    answer(vectors, vocab_size, calls);
    free(vectors);
  }
}
