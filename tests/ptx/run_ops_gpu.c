/* Runs the generated instruction tests on a GPU, through the driver that is there: nothing of CUDA is needed to build
 * this.
 *
 *     run_ops_gpu DIRECTORY OUTPUT [FILE-PREFIX]
 *
 * OUTPUT and the lines on the standard output are as run_ops's. Files whose target the GPU lacks are told "FILE * load
 * ..." */
#include <dlfcn.h>

#include "ops_manifest.h"

/* The part of the driver API that is used: cuda.h's functions of these names. Every one returns 0 for success. */
typedef struct Driver {
    int (*init)(unsigned flags);
    int (*device_get)(int *ret_device, int ordinal);
    int (*context_create)(void **ret_context, int device);
    int (*context_set)(void *context);
    int (*module_load)(void **ret_module, const void *image, unsigned count, int *options, void **values);
    int (*module_unload)(void *module);
    int (*module_function)(void **ret_function, void *module, const char *name);
    int (*allocate)(uint64_t *ret_address, size_t size);
    int (*release)(uint64_t address);
    int (*to_device)(uint64_t to, const void *from, size_t size);
    int (*to_host)(void *to, uint64_t from, size_t size);
    int (*fill)(uint64_t address, unsigned char value, size_t size);
    int (*launch)(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                  unsigned block_z, unsigned shared, void *stream, void **parameters, void **extra);
    int (*synchronize)(void);
} Driver;

typedef struct Run {
    Driver driver;
    void *module;
    uint64_t input, output;
    FILE *stream;
} Run;

static void check(int status, const char *what)
{
    if (status != 0)
        ops_fail("%s: CUDA error %d", what, status);
}

static Driver load_driver(void)
{
    Driver driver;
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library)
        ops_fail("%s", dlerror());
    const struct {
        const char *name;
        void *place;
    } functions[] = {{"cuInit", &driver.init},
                     {"cuDeviceGet", &driver.device_get},
                     {"cuDevicePrimaryCtxRetain", &driver.context_create},
                     {"cuCtxSetCurrent", &driver.context_set},
                     {"cuModuleLoadDataEx", &driver.module_load},
                     {"cuModuleUnload", &driver.module_unload},
                     {"cuModuleGetFunction", &driver.module_function},
                     {"cuMemAlloc_v2", &driver.allocate},
                     {"cuMemFree_v2", &driver.release},
                     {"cuMemcpyHtoD_v2", &driver.to_device},
                     {"cuMemcpyDtoH_v2", &driver.to_host},
                     {"cuMemsetD8_v2", &driver.fill},
                     {"cuLaunchKernel", &driver.launch},
                     {"cuCtxSynchronize", &driver.synchronize}};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *function = dlsym(library, functions[i].name);
        if (!function)
            ops_fail("the driver has no %s", functions[i].name);
        memcpy(functions[i].place, &function, sizeof function);
    }
    return driver;
}

static void begin_file(void *context, const OpsFile *file)
{
    enum { JIT_ERROR_LOG = 5, JIT_ERROR_LOG_SIZE = 6 };
    Run *run = context;
    char log[2048] = "";
    int options[] = {JIT_ERROR_LOG, JIT_ERROR_LOG_SIZE};
    void *values[] = {log, (void *)(uintptr_t)sizeof log};
    const int status = run->driver.module_load(&run->module, file->ptx, 2, options, values);
    if (status != 0) {
        run->module = NULL;
        log[strcspn(log, "\n")] = '\0';
        printf("%s * load error %d: %s\n", file->name, status, log);
    }
    check(run->driver.allocate(&run->input, file->input_size + 1), "memory for the inputs");
    check(run->driver.allocate(&run->output, file->output_size + 1), "memory for the results");
    check(run->driver.to_device(run->input, file->input, file->input_size), "copying the inputs");
    check(run->driver.fill(run->output, 0xcd, file->output_size + 1), "filling the results");
}

static void run_entry(void *context, const OpsFile *file, const OpsEntry *entry)
{
    Run *run = context;
    void *function, *parameters[OPS_ADDRESSES_MAX];
    uint64_t addresses[OPS_ADDRESSES_MAX];
    if (!run->module)
        return;
    for (uint32_t i = 0; i < entry->address_count; i++) {
        addresses[i] = (entry->kinds[i] == 'i' ? run->input : run->output) + entry->offsets[i];
        parameters[i] = &addresses[i];
    }
    check(run->driver.module_function(&function, run->module, entry->name), entry->name);
    const int status = run->driver.launch(function, 1, 1, 1, entry->thread_count, 1, 1, 0, NULL, parameters, NULL);
    if (status != 0)
        printf("%s %s launch error %d\n", file->name, entry->name, status);
}

static void end_file(void *context, const OpsFile *file)
{
    Run *run = context;
    check(run->driver.synchronize(), file->name);
    void *results = malloc(file->output_size + 1);
    if (!results)
        ops_fail("out of memory");
    check(run->driver.to_host(results, run->output, file->output_size), "copying the results");
    if (fwrite(results, 1, file->output_size, run->stream) != file->output_size)
        ops_fail("%s: cannot write results", file->name);
    free(results);
    if (run->module)
        check(run->driver.module_unload(run->module), "unloading");
    check(run->driver.release(run->input), "freeing");
    check(run->driver.release(run->output), "freeing");
}

int main(int count, char **arguments)
{
    if (count < 3)
        ops_fail("usage: run_ops_gpu DIRECTORY OUTPUT [FILE-PREFIX]");
    Run run = {.driver = load_driver(), .stream = fopen(arguments[2], "wb")};
    int device;
    void *context;
    if (!run.stream)
        ops_fail("%s: cannot write", arguments[2]);
    check(run.driver.init(0), "cuInit");
    check(run.driver.device_get(&device, 0), "the first device");
    check(run.driver.context_create(&context, device), "a context");
    check(run.driver.context_set(context), "the context");
    ops_visit(arguments[1], count > 3 ? arguments[3] : NULL,
              &(OpsVisitor){.begin = begin_file, .entry = run_entry, .end = end_file, .context = &run});
    return fclose(run.stream) == 0 ? 0 : 2;
}
