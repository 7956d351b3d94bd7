// get: the loads of bench/peers by Go's net/http, as its package documentation has it: one client for all, whose
// transport keeps as many idle connections to the server as are used (the default is two), each body read to its end
// and closed.
//
//	usage: get LOAD URL N CONCURRENCY
package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
)

func get(client *http.Client, url string) (int64, error) {
	response, err := client.Get(url)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("%s: %s", url, response.Status)
	}
	return io.Copy(io.Discard, response.Body)
}

func main() {
	if len(os.Args) != 5 {
		log.Fatal("usage: get LOAD URL N CONCURRENCY")
	}
	url := os.Args[2]
	n, _ := strconv.ParseInt(os.Args[3], 10, 64)
	concurrency, _ := strconv.Atoi(os.Args[4])
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: concurrency}}

	var begun, done, bytes atomic.Int64
	var workers sync.WaitGroup
	for i := 0; i < concurrency; i++ {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for begun.Add(1) <= n {
				got, err := get(client, url)
				if err != nil {
					log.Fatal(err)
				}
				done.Add(1)
				bytes.Add(got)
			}
		}()
	}
	workers.Wait()
	fmt.Printf("done=%d bytes=%d\n", done.Load(), bytes.Load())
}
