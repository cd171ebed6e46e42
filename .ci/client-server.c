// Listens on a free port of 127.0.0.1, prints the port, and responds to every HTTP request with one JSON object.
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    static const char answer[] =
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 17\r\nConnection: close\r\n\r\n{\"name\": \"plain\"}";
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&address, length) || listen(listener, 16)) {
        perror("listen");
        return 1;
    }
    getsockname(listener, (struct sockaddr *)&address, &length);
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    for (;;) {
        char request[8192];
        int connection = accept(listener, NULL, NULL);
        if (read(connection, request, sizeof request) > 0) {
            (void)!write(connection, answer, strlen(answer));
        }
        close(connection);
    }
}
