/*
 * The native samplers of llama.cpp, called through its shared library. Usage: llama-peer LIBRARY FOLDER
 *
 * Reads requests `V kind calls r T k p m` and answers `id kept milliseconds...`; see children.mjs. The copy of the logits
 * into the array of candidates is timed: llama.cpp makes it for every token.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { VECTORS = 4, IDS = 768, SEED = 2024 };

typedef struct {
  int32_t id;
  float logit, p;
} token_data;

typedef struct {
  token_data *data;
  size_t size;
  int64_t selected;
  bool sorted;
} token_array;

typedef struct {
  bool no_perf;
} chain_params;

typedef void *sampler;

typedef struct {
  int vocab_size, calls, k;
  char kind[16];
  float r, temperature, p, m;
} request;

static struct {
  sampler (*chain_init)(chain_params);
  void (*chain_add)(sampler, sampler);
  sampler (*init_penalties)(int32_t, int32_t, float, float, float);
  sampler (*init_top_k)(int32_t);
  sampler (*init_top_p)(float, size_t);
  sampler (*init_min_p)(float, size_t);
  sampler (*init_temp)(float);
  sampler (*init_dist)(uint32_t);
  sampler (*init_greedy)(void);
  void (*apply)(sampler, token_array *);
  void (*accept)(sampler, int32_t);
  void (*free)(sampler);
} llama;

/* What the last request was for: the logits and ids as they are in the files, and room for the candidates. */
static struct {
  int vocab_size;
  char kind[16];
  float *logits;
  token_data *candidates;
  int32_t ids[IDS];
} loaded;

static void fail(const char *what) {
  fprintf(stderr, "%s\n", what);
  exit(1);
}

static void find(void *library, const char *name, void *function) {
  void *found = dlsym(library, name);
  if (found == NULL) fail(name);
  memcpy(function, &found, sizeof found);
}

static void load_library(const char *path) {
  void *library = dlopen(path, RTLD_NOW);
  if (library == NULL) fail(dlerror());
  find(library, "llama_sampler_chain_init", &llama.chain_init);
  find(library, "llama_sampler_chain_add", &llama.chain_add);
  find(library, "llama_sampler_init_penalties", &llama.init_penalties);
  find(library, "llama_sampler_init_top_k", &llama.init_top_k);
  find(library, "llama_sampler_init_top_p", &llama.init_top_p);
  find(library, "llama_sampler_init_min_p", &llama.init_min_p);
  find(library, "llama_sampler_init_temp", &llama.init_temp);
  find(library, "llama_sampler_init_dist", &llama.init_dist);
  find(library, "llama_sampler_init_greedy", &llama.init_greedy);
  find(library, "llama_sampler_apply", &llama.apply);
  find(library, "llama_sampler_accept", &llama.accept);
  find(library, "llama_sampler_free", &llama.free);
}

static void read_file(const char *folder, int vocab_size, const char *kind, void *into, size_t count) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%d.%s", folder, vocab_size, kind);
  FILE *file = fopen(path, "rb");
  if (file == NULL || fread(into, 4, count, file) != count) fail(path);
  fclose(file);
}

static void load_files(const char *folder, const request *asked) {
  size_t vocab_size = asked->vocab_size;
  if (loaded.vocab_size == asked->vocab_size && strcmp(loaded.kind, asked->kind) == 0) return;
  loaded.vocab_size = asked->vocab_size;
  strcpy(loaded.kind, asked->kind);
  loaded.logits = realloc(loaded.logits, VECTORS * vocab_size * sizeof *loaded.logits);
  loaded.candidates = realloc(loaded.candidates, vocab_size * sizeof *loaded.candidates);
  read_file(folder, asked->vocab_size, asked->kind, loaded.logits, VECTORS * vocab_size);
  read_file(folder, asked->vocab_size, "ids", loaded.ids, IDS);
}

static sampler make_chain(const request *asked) {
  sampler chain = llama.chain_init((chain_params){true});
  if (asked->r != 1) llama.chain_add(chain, llama.init_penalties(loaded.vocab_size, IDS, asked->r, 0, 0));
  if (asked->temperature == 0) {
    llama.chain_add(chain, llama.init_greedy());
  } else {
    if (asked->k > 0) llama.chain_add(chain, llama.init_top_k(asked->k));
    if (asked->p < 1) llama.chain_add(chain, llama.init_top_p(asked->p, 1));
    if (asked->m > 0) llama.chain_add(chain, llama.init_min_p(asked->m, 1));
    if (asked->temperature != 1) llama.chain_add(chain, llama.init_temp(asked->temperature));
    llama.chain_add(chain, llama.init_dist(SEED));
  }
  for (int i = 0; i < IDS; i++) llama.accept(chain, loaded.ids[i]);
  return chain;
}

/* One token from one of the vectors: the candidates that are left. */
static token_array step(sampler chain, int vector) {
  const float *logits = loaded.logits + (size_t)vector * loaded.vocab_size;
  for (int id = 0; id < loaded.vocab_size; id++) loaded.candidates[id] = (token_data){id, logits[id], 0};
  token_array tokens = {loaded.candidates, loaded.vocab_size, -1, false};
  llama.apply(chain, &tokens);
  llama.accept(chain, tokens.data[tokens.selected].id);
  return tokens;
}

/* The library has no header here: fails where its penalties are not what they are taken for. */
static void check_penalties(float r) {
  for (int i = 0; i < IDS; i++) {
    int32_t id = loaded.ids[i];
    float logit = loaded.logits[id];
    float wanted = logit > 0 ? logit / r : logit * r;
    if (loaded.candidates[id].logit != wanted) fail("penalties: not as expected");
  }
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e3 + time.tv_nsec * 1e-6;
}

static void answer(const request *asked) {
  sampler chain = make_chain(asked);
  token_array tokens = step(chain, 0);
  if (asked->temperature == 0) check_penalties(asked->r);
  printf("%d %zu", tokens.data[tokens.selected].id, tokens.size);
  for (int call = 0; call < asked->calls; call++) {
    double begin = now();
    step(chain, call % VECTORS);
    printf(" %.6f", now() - begin);
  }
  printf("\n");
  fflush(stdout);
  llama.free(chain);
}

int main(int count, char **arguments) {
  if (count != 3) fail("usage: llama-peer LIBRARY FOLDER");
  load_library(arguments[1]);
  printf("ready\n");
  fflush(stdout);
  request asked;
  while (scanf("%d %15s %d %f %f %d %f %f", &asked.vocab_size, asked.kind, &asked.calls, &asked.r,
               &asked.temperature, &asked.k, &asked.p, &asked.m) == 8) {
    load_files(arguments[2], &asked);
    answer(&asked);
  }
}
