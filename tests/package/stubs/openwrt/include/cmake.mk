all:

# CMake on Debian would take another folder for libraries below /usr.
.PHONY: compile
compile:
	cd $(WORK) && echo "$(PKG_HASH)  $(PKG_SOURCE)" | sha256sum -c -
	tar -xf $(WORK)/$(PKG_SOURCE) -C $(WORK)
	cmake -S $(PKG_BUILD_DIR) -B $(PKG_BUILD_DIR)/build -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr \
	  -DCMAKE_INSTALL_LIBDIR=lib $(CMAKE_OPTIONS)
	cmake --build $(PKG_BUILD_DIR)/build
	DESTDIR=$(PKG_INSTALL_DIR) cmake --install $(PKG_BUILD_DIR)/build
