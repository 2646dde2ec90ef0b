/* Preloaded into ibsim: the first port whose CapabilityMask changes says IsDeviceManagementSupported from
 * then on, as the port of an SRP target does. ibsim changes the mask of a port for the IsSM bit only;
 * device_manager.py sets and clears it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <infiniband/mad.h>

enum { kDeviceManagement = 1 << 19 };

void mad_set_field(void* port_info, int base, enum MAD_FIELDS field, uint32_t value) {
  static void (*next)(void*, int, enum MAD_FIELDS, uint32_t);
  static void* target;
  if (!next) next = (void (*)(void*, int, enum MAD_FIELDS, uint32_t))dlsym(RTLD_NEXT, "mad_set_field");
  if (field == IB_PORT_CAPMASK_F && !target) target = port_info;
  if (field == IB_PORT_CAPMASK_F && port_info == target) value |= kDeviceManagement;
  next(port_info, base, field, value);
}
