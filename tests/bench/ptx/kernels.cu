// The four kernels of `make bench-ptx`. kernels.ptx is made from this file:
//   nvcc -O3 -std=c++17 -arch=compute_90a -ptx kernels.cu -o kernels.ptx
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

extern "C" __global__ void matmul(const float *a, const float *b, float *c, int n)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n || column >= n)
        return;
    float sum = 0.0f;
#pragma unroll 4
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

extern "C" __global__ void matmul_tiled(const float *a, const float *b, float *c, int n)
{
    __shared__ float tile_a[16][16], tile_b[16][16];
    const int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    float sum = 0.0f;
    for (int start = 0; start < n; start += 16) {
        tile_a[threadIdx.y][threadIdx.x] = a[row * n + start + threadIdx.x];
        tile_b[threadIdx.y][threadIdx.x] = b[(start + threadIdx.y) * n + column];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; k++)
            sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

extern "C" __global__ void collatz(int *steps, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned value = i + 1;
    int count = 0;
    while (value != 1) {
        value = value & 1 ? 3 * value + 1 : value >> 1;
        count++;
    }
    steps[i] = count;
}
