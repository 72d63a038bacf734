#include "cmd/ptx_file.h"

#include "base/fd.h"

enum { FILE_BYTES_MAX = 256 << 20 };

const PtxModule *ptx_file_load(const char *path, const PtxConfig *config, PtxMachine **ret_machine, Error *error)
{
    auto_buffer Buffer text = {0};
    *ret_machine = NULL;
    if (!fd_read_file(path, FILE_BYTES_MAX, &text, error))
        return NULL;
    *ret_machine = ptx_machine_new(config, error);
    return *ret_machine ? ptx_module_load(*ret_machine, path, buffer_text(&text), text.size, error) : NULL;
}
