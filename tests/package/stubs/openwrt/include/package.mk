PKG_BUILD_DIR := $(WORK)/$(PKG_NAME)-$(PKG_VERSION)
PKG_INSTALL_DIR := $(WORK)/installed

define said
$(if $(strip $($(2))),,$(error $(1) has no $(2)))
endef

# BuildPackage,NAME: what is to be in the package, in $(WORK)/NAME
define BuildPackage
$(eval TITLE :=)
$(eval $(Package/$(1)))
$(foreach name,PKG_NAME PKG_VERSION PKG_RELEASE PKG_SOURCE PKG_SOURCE_URL PKG_HASH PKG_LICENSE PKG_MAINTAINER \
  SECTION CATEGORY TITLE,$(call said,$(1),$(name)))
all: $(1)
.PHONY: $(1)
$(1): compile
	$(call Package/$(1)/install,$(WORK)/$(1))
endef
