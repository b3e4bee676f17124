/* SPDX-License-Identifier: Apache-2.0 */
#include "petal_registers.h"
#include "petal_registers.h"

/* An array of size -1 stops the compiler where a number is not what the interface says. */
#define CHECK(name, condition) typedef char name[(condition) ? 1 : -1]

CHECK(id_reads_petl, PETAL_ID_VALUE == (('L' << 24) + ('T' << 16) + ('E' << 8) + 'P'));
CHECK(doorbell_offset, PETAL_REG_DOORBELL == 156);
CHECK(last_counter, PETAL_REG_COUNT_CYCLES_HI == 364);
CHECK(enable, PETAL_CONTROL_ENABLE_MASK == 1 && PETAL_CONTROL_ENABLE_SHIFT == 0);
CHECK(threshold, PETAL_INT_STATUS_THRESHOLD_MASK == 4 && PETAL_INT_STATUS_THRESHOLD_SHIFT == 2);
CHECK(tag, PETAL_ERROR_TAG_ID_MASK == 16777215);
CHECK(slot, PETAL_SLOT_COMPLETION_ID == 8 && PETAL_SLOT_COMMAND == 16 && PETAL_SLOT_CONTROL_VALID_SHIFT == 31);
CHECK(tensor, PETAL_TENSOR_SHAPE == 16 && PETAL_TENSOR_STRIDE == 48 && PETAL_TENSOR_BYTES == 80);
CHECK(record, PETAL_COMPLETION_RESULT_STATUS_SHIFT == 24 && PETAL_COMPLETION_BYTES == 16);
CHECK(causes, PETAL_CAUSE_OK == 0 && PETAL_CAUSE_EXECUTION_ERROR == 11);
