// Times the public code of Aura (C++, its class SSEClientHandler, owner and server in one process) as SseDeletions times
// ours: one word, insertions one at a time, deletions, one search. benchmarks/aura-public builds it against a checkout, and
// has the linker lead the owner's call of the server's search to the function below, which times it.
// Prints a line of CSV: ids, deletions, hashes, filter bits, us an insertion, us a deletion, ms of the owner and of the
// server in the search, hits, and how many ids should have been found.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "Core/SSEClientHandler.h"

#define SERVER_SEARCH(prefix) prefix##_ZN16SSEServerHandler6searchEPhRKSt6vectorI7GGMNodeSaIS2_EEi

using Clock = std::chrono::steady_clock;

static double micros(Clock::time_point from) {
    return std::chrono::duration<double, std::micro>(Clock::now() - from).count();
}

static double server_micros = 0;

extern "C" std::vector<int> SERVER_SEARCH(__real_)(SSEServerHandler *, uint8_t *, const std::vector<GGMNode> &, int);

extern "C" std::vector<int> SERVER_SEARCH(__wrap_)(SSEServerHandler *server, uint8_t *token,
                                                   const std::vector<GGMNode> &nodes, int level) {
    auto start = Clock::now();
    std::vector<int> found = SERVER_SEARCH(__real_)(server, token, nodes, level);
    server_micros = micros(start);
    return found;
}

int main(int count, char **arguments) {
    if (count != 3) {
        std::fprintf(stderr, "aura-public IDS DELETIONS\n");
        return 2;
    }
    const int ids = std::atoi(arguments[1]);
    const int deletions = std::atoi(arguments[2]);
    const int documents = ids + deletions;
    SSEClientHandler client;

    auto start = Clock::now();
    for (int i = 1; i <= documents; i++) { // its search takes 0 for no id
        client.update(INS, "word", i);
    }
    const double insertion = micros(start) / documents;

    const int step = documents / deletions;
    start = Clock::now();
    for (int i = 0; i < deletions; i++) {
        client.update(DEL, "word", i * step + 1);
    }
    const double deletion = micros(start) / deletions;

    start = Clock::now();
    std::vector<int> hits = client.search("word");
    const double both = micros(start);

    std::printf("%d,%d,%d,%d,%.4f,%.4f,%.4f,%.4f,%zu,%d\n", ids, deletions, HASH_SIZE, GGM_SIZE, insertion, deletion,
                (both - server_micros) / 1e3, server_micros / 1e3, hits.size(), ids);
    return 0;
}
